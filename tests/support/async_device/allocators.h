#pragma once

/// The memory of memory.h as LibTorch's allocators.

#include <c10/core/Allocator.h>

namespace stagelane::async_device {

/// Registers the devices' allocator with c10.
void registerAllocator();
/// Pinned host memory.
[[nodiscard]] c10::Allocator* pinnedAllocator();

}  // namespace stagelane::async_device
