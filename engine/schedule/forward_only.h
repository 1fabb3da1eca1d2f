#pragma once

/// Schedules for `task: infer`: the forward part of a training schedule.

#include "engine/schedule/action.h"

namespace stagelane::schedule {

/// Keeps only the forwards of a schedule, in their order on each device; no loss, no optimizer. A
/// valid schedule stays valid, because a forward depends on a backward only through its own
/// device's order.
[[nodiscard]] Schedule forwardOnly(Schedule schedule);

}  // namespace stagelane::schedule
