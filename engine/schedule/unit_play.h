#pragma once

/// A schedule played with unit costs and no transfers: what the published formulas speak of. A
/// device's whole part of the model takes F = I = W = 1 and B = 2, so a chunk of v takes 1/v. Real
/// costs are for the simulator in engine/predict.

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/schedule/action.h"

namespace stagelane::schedule {

/// Times in units of one chunk's F, activations in those of one chunk.
struct UnitPlay {
  std::vector<std::vector<std::pair<std::int64_t, std::int64_t>>> spans;  ///< row → (start, end)
  std::int64_t makespan = 0;
  std::int64_t idle = 0;  ///< largest inside a row's own window, first to last action
  int peak = 0;           ///< live (stage, micro-batch) pairs of a row; freed after B or W
  std::int64_t work = 0;  ///< of the busiest row
  bool complete = false;  ///< false when the rows wait for each other for ever
};

[[nodiscard]] UnitPlay playUnits(const Schedule& schedule);

/// Stages a device, rounded up.
[[nodiscard]] int chunksOf(const Schedule& schedule);

}  // namespace stagelane::schedule
