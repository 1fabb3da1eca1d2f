#pragma once

/// Names of schedules that an experiment may say, and how each lays out the stages of a plan. The
/// generators themselves are in engine/schedule, which reads these lists; the reader of experiments
/// needs the names and layouts only.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace stagelane::plan {

/// Where a schedule wants its stages.
enum class StageLayout {
  Free,          ///< as the plan has them
  OnePerDevice,  ///< stage s on row s
  Loop,          ///< stage s on row s mod p, v stages a row
  V,             ///< stages d and 2p−1−d on row d
};

struct ScheduleLayout {
  StageLayout layout = StageLayout::Free;
  int chunks = 1;  ///< stages a device where nothing is said
};

/// What this version runs: generated ones, and `auto`, which is searched for with the plan's costs.
[[nodiscard]] const std::vector<std::string>& availableScheduleNames();
/// Whether the strategy `pipeline` may be given the schedule: all but `single` and
/// `model_parallel`, which are strategies.
[[nodiscard]] bool isPipelineSchedule(std::string_view name);

/// The layout of a schedule by name; `Free` for names that are not in the lists and CSV files.
[[nodiscard]] ScheduleLayout layoutOf(std::string_view schedule);
/// Whether the schedule may have so many stages a device.
/// @errors Invalid
[[nodiscard]] Status checkChunks(std::string_view schedule, int chunks);
/// Most stages of a device.
inline constexpr int kMostChunks = 1024;

/// Rows of the stages, in stage order; `Free` is laid out as `Loop`. @pre chunks is 1 for
/// OnePerDevice, 2 for
/// V
[[nodiscard]] std::vector<int> rowsOfStages(StageLayout layout, int devices, int chunks);

/// How many stages each run of blocks holds when stages in a row on one device are one run; nothing
/// when the runs are on other devices than that. `rows` and `runs` are numbers of devices.
[[nodiscard]] std::vector<std::size_t> stagesInRuns(const std::vector<int>& rows,
                                                    const std::vector<int>& runs);
/// The schedule that engine/predict finds for the plan's costs.
inline constexpr std::string_view kAutoSchedule = "auto";

/// A schedule read from a file: `csv:PATH`.
inline constexpr std::string_view kCsvPrefix = "csv:";

}  // namespace stagelane::plan
