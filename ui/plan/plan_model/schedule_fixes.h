#pragma once

/// Conflicts between a plan and its schedule: which devices violate the schedule's layout, and the
/// one edit that fixes it: other stages, another split size, or another schedule.

#include <optional>
#include <vector>

#include "ui/plan/plan_model/plan_problems.h"

namespace stagelane::ui {

/// One problem per device that violates the layout, or one without a device. Empty if the plan's
/// error is not in the variant.
[[nodiscard]] std::vector<PlanProblem> breachesOf(const PlanQuestion& question);

/// Fixes that keep most of the plan come first: rearranged or recut stages, another split size, no
/// chunks, another schedule. Nothing if none of them helps.
[[nodiscard]] std::optional<PlanFix> fixOfSchedule(const PlanQuestion& question);

/// The first device whose blocks are not contiguous.
[[nodiscard]] std::optional<DeviceId> scattered(const PlanShape& shape);

/// Makes each device's blocks contiguous; keeps the order of devices and the numbers of blocks.
[[nodiscard]] PlanShape inRuns(const PlanShape& shape);

/// Cuts the chain into stages of about equal weight, the s-th on device `rows[s]` of `devices`.
/// @pre no more rows than weights
[[nodiscard]] PlanShape cutInto(const std::vector<double>& weights, const std::vector<int>& rows,
                                const std::vector<DeviceId>& devices);

}  // namespace stagelane::ui
