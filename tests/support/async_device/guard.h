#pragma once

/// Devices, streams and events as c10 asks for them.

namespace stagelane::async_device {

/// Registers the device guard with c10.
void registerGuard();

}  // namespace stagelane::async_device
