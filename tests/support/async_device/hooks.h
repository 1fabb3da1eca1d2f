#pragma once

/// What ATen asks of a device: generators, pinned memory, the current device.

namespace stagelane::async_device {

/// Registers the hooks with ATen.
void registerHooks();

}  // namespace stagelane::async_device
