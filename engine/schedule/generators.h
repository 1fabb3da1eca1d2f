#pragma once

/// Schedule generators: pure functions from (devices, micro-batches, chunks) to the order of
/// compute actions on each device. Formulas and sources are documented at each method in
/// methods_basic.cpp, methods_loop.cpp and methods_v.cpp.

#include <optional>
#include <string_view>

#include "engine/base/result.h"
#include "engine/schedule/action.h"
#include "engine/schedule/methods.h"

namespace stagelane::schedule {

struct Sizes {
  int devices = 1;
  int microBatches = 1;
  std::optional<int> chunks;  ///< stages per device; empty: the method's default, 1 or 2
};

/// Maximum number of devices and of actions in a generated schedule.
inline constexpr int kMostDevices = 1024;
inline constexpr std::int64_t kMostActions = 20'000'000;

/// @errors Invalid: unknown name, sizes that the method does not allow (the message states the
/// rule)
[[nodiscard]] Result<Schedule> generate(std::string_view name, const Sizes& sizes);

/// For the stages of a plan: row r of the schedule is the r-th distinct device in stage order.
/// Replica r of n is a pipeline of its own over the micro-batches k with k mod n = r.
/// @errors Invalid if the layout or the number of micro-batches does not suit the schedule (the
/// message states the rule)
[[nodiscard]] Result<Schedule> generateForStages(std::string_view name, const StageRows& rows,
                                                 int microBatches);

/// Whether `generateForStages` would succeed, without generating the schedule.
/// @errors Invalid (the message states the rule)
[[nodiscard]] Status suits(std::string_view name, const StageRows& rows, int microBatches);

}  // namespace stagelane::schedule
