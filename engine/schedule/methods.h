#pragma once

/// The table of schedules: what each is called, where it comes from, what it asks of a plan and who
/// writes it. Help, error messages, the schema of experiment files, the window's lists and the
/// exported code all read it. The rows stand beside the generators, in methods_basic.cpp,
/// methods_loop.cpp and methods_v.cpp.

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/schedule/action.h"
#include "engine/schedule/layout.h"

namespace stagelane::schedule {

struct Method {
  std::string_view name;         ///< in experiment files, options and the window
  std::string_view description;  ///< one sentence, without a full stop
  std::string_view paper;        ///< "arXiv:1811.06965"; empty where there is none
  ScheduleLayout layout{};
  /// Appends the actions to the rows of a schedule whose sizes and layout were checked. Null: the
  /// schedule is searched for with the plan's costs.
  void (*fill)(Schedule&) = nullptr;
  /// The rule on sizes beyond the layout; null where there is none.
  Status (*check)(const Schedule&) = nullptr;
  LossMode lossMode = LossMode::PerMicroBatch;
  bool pipeline = true;  ///< the strategy `pipeline` may have it
  /// The class of torch.distributed.pipelining that makes it; empty where there is none.
  std::string_view torchClass{};
};

/// In the order in which lists show them; `auto` is last.
[[nodiscard]] const std::vector<Method>& methods();
/// Null for names that are not in the table, such as those of CSV files.
[[nodiscard]] const Method* methodNamed(std::string_view name);

/// All names of the table.
[[nodiscard]] const std::vector<std::string>& allScheduleNames();
/// Those that a generator writes: all but `auto`.
[[nodiscard]] const std::vector<std::string>& generatedScheduleNames();
/// Those that the strategy `pipeline` may have: all but `single` and `model_parallel`, which are
/// strategies.
[[nodiscard]] const std::vector<std::string>& pipelineScheduleNames();

/// Whether the strategy `pipeline` may have the schedule; true for CSV files.
[[nodiscard]] bool isPipelineSchedule(std::string_view name);
/// `Free` for names that are not in the table.
[[nodiscard]] ScheduleLayout layoutOf(std::string_view schedule);
/// Whether the schedule may have so many stages a device.
/// @errors Invalid
[[nodiscard]] Status checkChunks(std::string_view schedule, int chunks);

/// The schedule that is searched for with the plan's costs.
inline constexpr std::string_view kAutoSchedule = "auto";
/// A schedule read from a file: `csv:PATH`.
inline constexpr std::string_view kCsvPrefix = "csv:";

}  // namespace stagelane::schedule
