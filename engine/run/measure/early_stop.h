#pragma once

/// `early_stop` of an experiment: members of a sweep that cannot become its best are not measured
/// to the end. Pure but for the statuses it sets.

#include <vector>

#include "engine/plan/experiment.h"
#include "engine/predict/cost_table.h"
#include "engine/run/measure/variant_run.h"

namespace stagelane::run {

/// Before the first turn: members whose predicted step is longer than the shortest of their sweep
/// by more than predictions err are not run. Only by measured costs; estimates stop nothing.
void leaveOutHopeless(const plan::Experiment& experiment, const predict::CostTable* costs,
                      std::vector<VariantRun>& runs);

/// Between rounds: after three repeats, members of which every repeat was longer than every repeat
/// of the sweep's best, with means apart by more than both spreads, take no more turns. What they
/// measured stays.
void stopHopeless(const plan::Experiment& experiment, std::vector<VariantRun>& runs);

}  // namespace stagelane::run
