#pragma once

/// Bounds of a plan's peak memory, derived from the plan alone. Lower bound: what is held between
/// two actions. Upper bound: the prediction plus what an operator may allocate from the tensors it
/// uses. See ui/session/prediction/peak_range.h for bounds from the errors of past predictions.

#include <vector>

#include "engine/base/ids.h"
#include "engine/predict/plan_costs.h"
#include "engine/schedule/lowering.h"

namespace stagelane::predict {

struct PeakBounds {
  /// Parameters, optimizer state, gradients and kept tensors between two actions.
  Bytes low = 0;
  /// The predicted peak plus, during each action: its temporary tensors again, in another layout;
  /// in a backward a gradient for each kept tensor of its micro-batch, which remains from I to W;
  /// in an update what the optimizer allocates. For actions with measured memory (StageBytes):
  /// their temporary tensors again, a boundary tensor that a neighbor still reads, and one not yet
  /// received. An operator's own workspace may be larger.
  Bytes high = 0;
};

/// By row. Without PlanCosts::updates, gradients count from the start.
/// @pre the costs are those of the schedule's stages and micro-batches
[[nodiscard]] std::vector<PeakBounds> peakBounds(const schedule::LoweredSchedule& lowered,
                                                 const PlanCosts& costs);

}  // namespace stagelane::predict
