#pragma once

/// Times of perfetto packets in nanoseconds of one clock. Writers may count in a clock of their own
/// sequence (numbers 64 to 127), in multiples, or from packet to packet; a ClockSnapshot ties it to
/// a clock of the machine. Internal to profiler/formats.

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
  /// Nothing when the time is out of range. `clock` 0: the machine's clock.
  [[nodiscard]] std::optional<TimeNs> timeOf(std::uint32_t sequence, std::uint64_t clock,
                                             std::uint64_t timestamp);

 private:
  struct Clock {
    TimeNs machineNs = 0;      ///< at the snapshot
    std::int64_t reading = 0;  ///< of this clock at the snapshot; the last one when incremental
    std::int64_t multiplier = 1;
    bool incremental = false;
  };
  using Key = std::pair<std::uint32_t, std::uint64_t>;
  [[nodiscard]] static Key keyOf(std::uint32_t sequence, std::uint64_t clock);

  std::map<Key, Clock> m_clocks;
};

}  // namespace stagelane::formats::detail
