#pragma once

/// What nobody waits for (curves, suggestions, estimates) shares the processor with the window's
/// thread; it lets that one go first.

namespace stagelane::ui {

/// The calling thread yields to all others from now on, for as long as it lives. Does nothing where
/// the system does not allow it. @thread one of a pool that does such work alone
void workBehindTheWindow();

}  // namespace stagelane::ui
