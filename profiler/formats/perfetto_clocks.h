#pragma once

/// Converts times of Perfetto packets to nanoseconds of one clock. Writers may use a sequence's own
/// clock (numbers 64 to 127), multiples, or differences between packets; a ClockSnapshot relates it
/// to a machine clock. Internal to profiler/formats.

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "engine/base/ids.h"

namespace stagelane::formats::detail {

class Clocks {
 public:
  /// Reads a ClockSnapshot message. @throws protozero::exception
  void snapshot(std::uint32_t sequence, std::string_view message);
  /// Empty if the time is out of range. `clock` 0 is the machine's clock.
  [[nodiscard]] std::optional<TimeNs> timeOf(std::uint32_t sequence, std::uint64_t clock,
                                             std::uint64_t timestamp);

 private:
  struct Clock {
    TimeNs machineNs = 0;      ///< at the snapshot
    std::int64_t reading = 0;  ///< of this clock at the snapshot; the last one if incremental
    std::int64_t multiplier = 1;
    bool incremental = false;
  };
  using Key = std::pair<std::uint32_t, std::uint64_t>;
  [[nodiscard]] static Key keyOf(std::uint32_t sequence, std::uint64_t clock);

  std::map<Key, Clock> m_clocks;
};

}  // namespace stagelane::formats::detail
