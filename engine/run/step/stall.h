#pragma once

/// Who is to blame when a step stands still: a row that does not end its action, or a tensor that
/// its sender has sent and its receiver never got. Pure functions of what the rows are doing.

#include <vector>

#include "engine/run/step/step.h"

namespace stagelane::run {

/// What a row is doing.
struct RowActivity {
  const schedule::LoweredAction* action = nullptr;  ///< of the plan's list; null: the row has ended
  TimeNs sinceNs = 0;                               ///< monotonic
};

/// The error of a step in which no action has ended for `quietNs`: names the device, its action,
/// stage and micro-batch. @pre one activity a row, at least one row has not ended
[[nodiscard]] Error stallError(const StepPlan& plan, const std::vector<RowActivity>& rows,
                               TimeNs quietNs);

/// Says in the error's context and failure that it happened at a row's action.
void setPlace(Error& error, const StepPlan& plan, std::size_t row,
              const schedule::LoweredAction& action);

}  // namespace stagelane::run
