#pragma once

/// Lowers the priority of background work (curves, suggestions) below the window's thread.

namespace stagelane::ui {

/// Lowers the calling thread's priority for its lifetime. No effect where the system does not
/// support it. @thread a pool thread that does only background work
void workBehindTheWindow();

}  // namespace stagelane::ui
