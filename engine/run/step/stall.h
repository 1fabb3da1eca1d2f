#pragma once

/// Finds the cause of a stalled step: a row that does not finish its action, or a tensor that was
/// sent but not received. Pure functions of the rows' activities.

#include <cstdint>
#include <vector>

#include "engine/run/step/step.h"

namespace stagelane::run {

/// The current action of a row: the oldest one that its device has queued and not ended, else the
/// one that its thread plays.
struct RowActivity {
  const schedule::LoweredAction* action =
      nullptr;            ///< from the plan's list; null: the row has ended
  TimeNs sinceNs = 0;     ///< monotonic
  std::int64_t step = 0;  ///< of the row's steps, counted
  bool queued = false;    ///< its device has it; the row's thread has gone on
};

/// The error of a step in which no action has ended for `quietNs`: names the device, its action,
/// stage and micro-batch. @pre one activity per row, at least one row has not ended
[[nodiscard]] Error stallError(const StepPlan& plan, const std::vector<RowActivity>& rows,
                               TimeNs quietNs);

/// Sets the row's action as the place in the error's context and failure.
void setPlace(Error& error, const StepPlan& plan, std::size_t row,
              const schedule::LoweredAction& action);

}  // namespace stagelane::run
