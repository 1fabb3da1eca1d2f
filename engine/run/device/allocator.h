#pragma once

/// The CPU allocator of the engine: accounts every byte to the worker that asked for it, and reuses
/// blocks. Installed first in main. A 64-byte header before the data holds the owner; context
/// pointer = data pointer, because oneDNN convolutions assert it.

#include <cstdint>

#include "engine/base/ids.h"

namespace stagelane::run {

/// Owner of the allocations of the calling thread; 0 is "nobody in particular".
void setAllocationOwner(int owner);
inline constexpr int kMaxOwners = 64;

struct AllocationStats {
  Bytes live = 0;
  Bytes peak = 0;
  std::int64_t allocations = 0;
};
[[nodiscard]] AllocationStats allocationStats(int owner);
/// Sets the peak back to what is live now.
void resetPeak(int owner);
/// Makes allocations of `owner` beyond `limit` live bytes throw c10::OutOfMemoryError; 0 lifts it.
void setAllocationLimit(int owner, Bytes limit);
/// Gives cached blocks back to the system.
void releaseCachedBlocks();

/// Live and cached bytes of all owners together beyond which cached blocks go back to the system
/// before new ones are fetched from there; 0 for no bound. Half of the machine's memory unless set.
void setCacheLimit(Bytes limit);
/// A variant's turn begins: blocks of sizes that are not asked for from now on go back first.
void beginAllocationTurn();
[[nodiscard]] Bytes cachedBytes();
[[nodiscard]] Bytes liveAndCachedBytes();
/// What had to be fetched from the system since the program's start, because no cached block
/// fitted. What is fetched is cold: its pages cost time when they are first touched.
[[nodiscard]] Bytes fetchedBytes();

}  // namespace stagelane::run
