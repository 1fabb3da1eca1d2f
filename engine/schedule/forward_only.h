#pragma once

/// Schedules for `task: infer`: what is left of a training schedule when nothing is trained.

#include "engine/schedule/action.h"

namespace stagelane::schedule {

/// The forwards of a schedule, in their order on each device; no loss, no optimizer. A list that is
/// sound stays so: a forward never waits for a backward but through its own device's order.
[[nodiscard]] Schedule forwardOnly(Schedule schedule);

}  // namespace stagelane::schedule
