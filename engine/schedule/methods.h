#pragma once

/// The table of schedules: names, sources, layout requirements and generators. Help, error
/// messages, the schema of experiment files, the window's lists and the exported code all read it.
/// The rows are defined next to the generators, in methods_basic.cpp, methods_loop.cpp and
/// methods_v.cpp.

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/schedule/action.h"
#include "engine/schedule/layout.h"

namespace stagelane::schedule {

/// Micro-batches that stage s of p keeps of m at once.
enum class Keeps {
  Unknown,  ///< at least one
  Share,    ///< min(m, p−s), with one stage per device
  All,      ///< m
};

struct Method {
  std::string_view name;         ///< in experiment files, options and the window
  std::string_view description;  ///< one sentence, without a period
  std::string_view paper;        ///< "arXiv:1811.06965"; empty if there is none
  ScheduleLayout layout{};
  /// Appends the actions to the rows of a schedule with checked sizes and layout. Null: the
  /// schedule is found by a search over the plan's costs.
  void (*fill)(Schedule&) = nullptr;
  /// The rule on sizes beyond the layout; null if there is none.
  Status (*check)(const Schedule&) = nullptr;
  LossMode lossMode = LossMode::PerMicroBatch;
  bool pipeline = true;  ///< allowed for the strategy `pipeline`
  Keeps keeps = Keeps::Unknown;
  bool comparesCuts = false;  ///< stands for all schedules of its layout when cuts are compared
  /// The corresponding class of torch.distributed.pipelining; empty if there is none.
  std::string_view torchClass{};
};

/// In listing order; `auto` is last.
[[nodiscard]] const std::vector<Method>& methods();
/// Null for names that are not in the table, such as those of CSV files.
[[nodiscard]] const Method* methodNamed(std::string_view name);

/// All names of the table.
[[nodiscard]] const std::vector<std::string>& allScheduleNames();
/// All names that have a generator: all but `auto`.
[[nodiscard]] const std::vector<std::string>& generatedScheduleNames();
/// Names allowed for the strategy `pipeline`: all but the strategies `single` and `model_parallel`.
[[nodiscard]] const std::vector<std::string>& pipelineScheduleNames();

/// Whether the strategy `pipeline` allows the schedule; true for CSV files.
[[nodiscard]] bool isPipelineSchedule(std::string_view name);
/// `Free` for names that are not in the table.
[[nodiscard]] ScheduleLayout layoutOf(std::string_view schedule);
/// `Unknown` for names that are not in the table.
[[nodiscard]] Keeps keepsOf(std::string_view schedule);
/// The schedule by which cuts into the stages of a layout are compared. @pre not `Free`
[[nodiscard]] std::string_view cutsComparedBy(StageLayout layout);
/// Whether the schedule allows this number of stages per device.
/// @errors Invalid
[[nodiscard]] Status checkChunks(std::string_view schedule, int chunks);

/// The schedule found by a search over the plan's costs.
inline constexpr std::string_view kAutoSchedule = "auto";
/// Prefix of a schedule read from a file: `csv:PATH`.
inline constexpr std::string_view kCsvPrefix = "csv:";

}  // namespace stagelane::schedule
