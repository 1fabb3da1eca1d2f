#pragma once

/// The CPU allocator of the engine: accounts every byte to the requesting worker, and reuses
/// blocks. Installed first in main. A 64-byte header before the data holds the owner; context
/// pointer = data pointer, because oneDNN convolutions assert it.

#include <cstdint>

#include "engine/base/ids.h"

namespace stagelane::run {

/// Sets the owner of the calling thread's allocations; 0 means no particular owner.
void setAllocationOwner(int owner);
inline constexpr int kMaxOwners = 64;

struct AllocationStats {
  Bytes live = 0;
  Bytes peak = 0;
  std::int64_t allocations = 0;
};
[[nodiscard]] AllocationStats allocationStats(int owner);
/// Resets the peak to the current live bytes.
void resetPeak(int owner);
/// Allocations of `owner` beyond `limit` live bytes throw c10::OutOfMemoryError; 0: no limit.
void setAllocationLimit(int owner, Bytes limit);
/// Returns cached blocks to the system.
void releaseCachedBlocks();

/// Limit of live plus cached bytes of all owners, above which cached blocks are freed before new
/// ones are allocated from the system; 0 for none. Default: half of the machine's memory.
void setCacheLimit(Bytes limit);
/// Starts a variant's turn: cached blocks of sizes not requested from now on are freed first.
void beginAllocationTurn();
[[nodiscard]] Bytes cachedBytes();
[[nodiscard]] Bytes liveAndCachedBytes();
/// Total bytes allocated from the system because no cached block fitted. New memory is cold:
/// touching its pages for the first time costs time.
[[nodiscard]] Bytes fetchedBytes();

}  // namespace stagelane::run
