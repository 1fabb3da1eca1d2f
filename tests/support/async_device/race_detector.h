#pragma once

/// Finds accesses to one range of memory that nothing orders, by vector clocks at the moment of
/// queueing: the verdict does not depend on luck or on delays. Reports no race that is none, as
/// long as ranges are dense (interleaved columns of one tensor count as overlapping).

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "tests/support/async_device/block.h"
#include "tests/support/async_device/vector_clock.h"

namespace stagelane::async_device {

/// A task in its stream, with what is done before it begins.
struct StreamTask {
  std::size_t stream = 0;
  std::uint64_t number = 0;
  const std::string& name;
  const VectorClock& clock;
};

/// Whose wait lets a host thread read pinned memory. An order that one thread hands to another (by
/// a mutex, a future) cannot be seen, so asking for the thread's own wait may report what is none.
enum class HostWaits {
  OfAnyThread,
  /// Its own, or that of a thread which read the memory before.
  OfTheReader
};

/// What host threads have waited for.
struct HostClocks {
  const VectorClock& own;  ///< what this thread waited for
  const VectorClock& any;  ///< what some thread waited for
};

class RaceDetector {
 public:
  /// Name of the stream with the next number.
  void addStream(std::string name) { m_streams.push_back(std::move(name)); }

  /// An access by a task that is being queued.
  void byStream(const StreamTask& task, Block& block, const Access& access);

  /// An access by a CPU operator that begins in the calling thread.
  void byHost(const std::string& name, const HostClocks& clocks, Block& block,
              const Access& access);

  /// A host access that any thread's wait excuses: the reuse of freed pinned memory.
  void byHostAllocator(const std::string& name, const VectorClock& any, const Block& block);

  /// Races since the last call, one sentence for each pair of operators.
  [[nodiscard]] std::vector<std::string> take();

  void setHostWaits(HostWaits waits) { m_hostWaits = waits; }

 private:
  void report(const Seen& first, const std::string& second, const Block& block);

  HostWaits m_hostWaits = HostWaits::OfAnyThread;
  std::vector<std::string> m_streams;
  std::set<std::string> m_races;
};

}  // namespace stagelane::async_device
