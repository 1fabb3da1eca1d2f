#pragma once

/// Plays a schedule with unit costs and no transfers, as the published formulas assume. A device's
/// whole part of the model takes F = I = W = 1 and B = 2, so each of v chunks takes 1/v. For real
/// costs, see the simulator in engine/predict.

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/schedule/action.h"

namespace stagelane::schedule {

/// Times in units of one chunk's F, activations in those of one chunk.
struct UnitPlay {
  std::vector<std::vector<std::pair<std::int64_t, std::int64_t>>> spans;  ///< row → (start, end)
  std::int64_t makespan = 0;
  std::int64_t idle = 0;  ///< largest idle time of a row between its first and last action
  int peak = 0;  ///< largest number of live (stage, micro-batch) pairs on a row; freed after B or W
  std::int64_t work = 0;  ///< busy time of the busiest row
  bool complete = false;  ///< false if the rows deadlock
};

[[nodiscard]] UnitPlay playUnits(const Schedule& schedule);

/// Stages per device, rounded up.
[[nodiscard]] int chunksOf(const Schedule& schedule);

}  // namespace stagelane::schedule
