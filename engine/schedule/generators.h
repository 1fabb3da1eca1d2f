#pragma once

/// Schedule generators: pure functions from (devices, micro-batches, chunks) to the order of
/// compute actions on each device. What each method is, its formulas and its source are said where
/// it is written, in methods_basic.cpp, methods_loop.cpp and methods_v.cpp.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/schedule/action.h"
#include "engine/schedule/methods.h"

namespace stagelane::schedule {

struct Sizes {
  int devices = 1;
  int microBatches = 1;
  std::optional<int> chunks;  ///< stages a device; nothing: what the method has by itself, 1 or 2
};

/// Most devices, and most actions, that a schedule is generated for.
inline constexpr int kMostDevices = 1024;
inline constexpr std::int64_t kMostActions = 20'000'000;

/// @errors Invalid: unknown name, sizes that the method does not allow (says the rule)
[[nodiscard]] Result<Schedule> generate(std::string_view name, const Sizes& sizes);

/// For the stages of a plan: row r of the schedule is the r-th distinct device in stage order.
/// @errors Invalid when the layout or the number of micro-batches does not suit the schedule (says
/// the rule)
[[nodiscard]] Result<Schedule> generateForStages(std::string_view name, const StageRows& rows,
                                                 int microBatches);

/// Whether `generateForStages` would give a schedule, without making it.
/// @errors Invalid (says the rule)
[[nodiscard]] Status suits(std::string_view name, const StageRows& rows, int microBatches);

}  // namespace stagelane::schedule
