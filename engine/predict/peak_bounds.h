#pragma once

/// Between what a plan's peaks can lie, as far as the plan itself says: at least what is held
/// between two actions, with no operator at work; at most what is predicted and, besides, what an
/// operator may make of the tensors at hand. How far predictions were off where they were measured
/// is ui/session/prediction/peak_range.h.

#include <vector>

#include "engine/base/ids.h"
#include "engine/predict/plan_costs.h"
#include "engine/schedule/lowering.h"

namespace stagelane::predict {

struct PeakBounds {
  /// Parameters, optimizer state, and the gradients and kept tensors that are there between two
  /// actions.
  Bytes low = 0;
  /// The predicted peak where during each action there are besides: its temporary tensors once
  /// more, in a layout of the operator's own; in a backward a gradient beside each tensor that its
  /// micro-batch keeps, which stays from I to W; in an update what the optimizer makes. Of actions
  /// whose memory was measured (StageBytes): their temporary tensors once more, a boundary tensor
  /// that a neighbour still reads, and one that it has not taken. An operator's own workspace may
  /// be larger still.
  Bytes high = 0;
};

/// By row. Without PlanCosts::updates, gradients count as there from the start.
/// @pre the costs are of the schedule's stages and micro-batches
[[nodiscard]] std::vector<PeakBounds> peakBounds(const schedule::LoweredSchedule& lowered,
                                                 const PlanCosts& costs);

}  // namespace stagelane::predict
