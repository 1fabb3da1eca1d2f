#pragma once

/// Which process of a run plays which row of a variant. All processes compute the same answer.

#include <vector>

#include "engine/base/result.h"
#include "engine/plan/experiment.h"

namespace stagelane::plan {

/// The number of processes in which this experiment's included variants need their devices: the
/// highest rank in a device's name plus one, and a process for each device of a variant whose
/// strategy asks for that. 1: one process is enough.
[[nodiscard]] int ranksNeeded(const Experiment& experiment);

/// The rank that plays each row of a variant in a run of `ranks` processes:
/// - of a device with a rank in its name (`cpu:0@1`), that rank;
/// - of a strategy with a process for each device, the rows in order;
/// - of a pipeline or a model-parallel variant whose processes were asked for (`dealt`), as many
///   consecutive listed devices on each rank as fit evenly, the first ranks one more;
/// - else rank 0.
/// @errors Invalid: a device is of a rank that the run does not have, or there are fewer processes
/// than devices that need one
[[nodiscard]] Result<std::vector<int>> ranksOfRows(const Experiment& experiment,
                                                   const Variant& variant, int ranks, bool dealt);

/// Whether any row is on another rank than 0.
[[nodiscard]] bool spansRanks(const std::vector<int>& ranksOfRows);

}  // namespace stagelane::plan
