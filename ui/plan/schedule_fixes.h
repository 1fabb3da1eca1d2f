#pragma once

/// Where a plan and its schedule do not go together: which devices break the schedule's rule, in
/// words, and the one edit that fixes it: other stages, another split size, another schedule.

#include <optional>
#include <vector>

#include "ui/plan/plan_problems.h"

namespace stagelane::ui {

/// A problem for each device that breaks the rule, one without a device where none does; nothing
/// where the plan's error is none of the variant's own.
[[nodiscard]] std::vector<PlanProblem> breachesOf(const PlanQuestion& question);

/// What keeps most of the plan comes first: its blocks put together or cut into as many stages as
/// the schedule has, a split size, no chunks, another schedule. Nothing where none of them helps.
[[nodiscard]] std::optional<PlanFix> fixOfSchedule(const PlanQuestion& question);

/// The first device with more than one run of blocks.
[[nodiscard]] std::optional<DeviceId> scattered(const PlanShape& shape);

/// Each device's blocks in one run, in the order in which the devices come, as many as before.
[[nodiscard]] PlanShape inRuns(const PlanShape& shape);

/// The chain cut into stages of about equal weight, the s-th on device `rows[s]` of `devices`.
/// @pre no more rows than weights
[[nodiscard]] PlanShape cutInto(const std::vector<double>& weights, const std::vector<int>& rows,
                                const std::vector<DeviceId>& devices);

}  // namespace stagelane::ui
