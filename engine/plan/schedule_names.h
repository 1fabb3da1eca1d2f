#pragma once

/// Names of schedules that an experiment may say. The generators themselves are in
/// engine/schedule, which reads these lists; the reader of experiments needs the names only.

#include <string>
#include <string_view>
#include <vector>

namespace stagelane::plan {

/// What this version generates: `single model_parallel tutorial gpipe 1f1b`.
[[nodiscard]] const std::vector<std::string>& availableScheduleNames();
/// Names of the contract that later versions generate.
[[nodiscard]] const std::vector<std::string>& plannedScheduleNames();
/// Whether the strategy `pipeline` may be given the schedule: all but `single` and
/// `model_parallel`, which are strategies.
[[nodiscard]] bool isPipelineSchedule(std::string_view name);

/// A schedule read from a file: `csv:PATH`.
inline constexpr std::string_view kCsvPrefix = "csv:";

}  // namespace stagelane::plan
