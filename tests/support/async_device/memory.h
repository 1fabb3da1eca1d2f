#pragma once

/// A caching allocator for device memory and pinned host memory that is as unkind as is allowed: a
/// freed block is handed out again first, and is overwritten at the moment when its next user may
/// do so, in the order of the stream that it was allocated on. What another stream still reads then
/// is spoiled, unless record_stream holds the block back.

#include <c10/core/CachingDeviceAllocator.h>
#include <c10/core/Stream.h>

#include <cstddef>
#include <utility>

#include "tests/support/async_device/block.h"

namespace stagelane::async_device {

/// What each device says it has. Memory is only taken from the host as it is allocated.
constexpr std::size_t kDeviceBytes = std::size_t{4} << 30U;

/// Memory on `stream`. Near the limit it waits for blocks that are held back, then tries once more.
/// Throws c10::OutOfMemoryError.
[[nodiscard]] void* allocateOn(const c10::Stream& stream, std::size_t bytes);
[[nodiscard]] void* allocatePinned(std::size_t bytes);
/// Of either kind; null is allowed. @thread any
void freeMemory(void* data);

/// `stream` uses the block that holds `data`: it is held back at its free until the stream has done
/// what is queued then. Does nothing for other memory.
void recordUse(const void* data, const c10::Stream& stream);
[[nodiscard]] bool isPinned(const void* data);
/// False without a look at the table for most memory that is not pinned. @thread any
[[nodiscard]] bool mayBePinned(const void* data);
/// The device of the block that holds `data`. Throws if `data` is in no block.
[[nodiscard]] int deviceOf(const void* data);

/// Whether freed and new memory is overwritten (0xFF: NaN). On at start.
void setPoison(bool on);
/// 0: no limit but kDeviceBytes.
void setMemoryLimit(int device, std::size_t bytes);

[[nodiscard]] c10::CachingDeviceAllocator::DeviceStats memoryStats(int device);
void resetPeakStats(int device);
void resetAccumulatedStats(int device);
/// Free and total bytes.
[[nodiscard]] std::pair<std::size_t, std::size_t> memoryInfo(int device);
/// Gives cached blocks of all devices back to the host. Waits for all streams, as CUDA's free does.
void emptyCache();

}  // namespace stagelane::async_device
