#pragma once

/// A device of LibTorch (PrivateUse1) for tests that behaves as a GPU does where correctness is
/// concerned: calls return before the work is done, streams do not wait for each other by
/// themselves, freed memory is used again at once, and kernels have the CPU's bits. It finds
/// accesses that nothing orders. It stands in for CUDA and its driver: it knows nothing of the
/// engine.
///
/// faults.h orders faults, sites.h leaves out calls that order something.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/async_device/device_errors.h"
#include "tests/support/async_device/memory.h"
#include "tests/support/async_device/race_detector.h"
#include "tests/support/async_device/usage.h"

namespace stagelane::async_device {

/// Registers kDevices devices. Once in a process, at the start of main and before other threads;
/// they cannot be removed, so the process ends with std::_Exit.
void install();

/// Each task of a stream begins up to so many microseconds late, drawn by `seed`, so that streams
/// drift apart. 0: none.
void setDelays(int maxMicroseconds, std::uint64_t seed);

/// Pairs of accesses that nothing orders and that have been queued since the last call: "device
/// memory: aten::mul on device 0 stream 3 is not ordered after aten::add on device 0 stream 1".
[[nodiscard]] std::vector<std::string> takeRaces();

/// Whose wait lets a CPU operator read pinned memory. HostWaits::OfAnyThread at start and after
/// reset(), which reports no false races.
void setHostWaits(HostWaits waits);

struct Counters {
  std::uint64_t tasks = 0;
  CallCounts calls;
};
[[nodiscard]] Counters counters();

/// Withdraws faults and limits, lets all streams finish, and forgets errors, races, delays and the
/// site that is left out. @pre no other thread uses the devices
void reset();

}  // namespace stagelane::async_device
