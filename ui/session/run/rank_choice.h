#pragma once

/// With how many processes (ranks) a run can be asked to run: the engine deals the devices of
/// pipelines and model-parallel variants to them. Rules only.

#include <vector>

#include "engine/plan/experiment.h"

namespace stagelane::ui {

/// The numbers that may be chosen, ascending; empty if no included variant can use several
/// processes, or if each device has a process of its own anyway.
[[nodiscard]] std::vector<int> rankCounts(const plan::Experiment& experiment);

/// What the engine is asked for: `wanted` if the experiment can use so many, else 0: as many as it
/// needs.
[[nodiscard]] int ranksToAsk(const plan::Experiment& experiment, int wanted);

}  // namespace stagelane::ui
