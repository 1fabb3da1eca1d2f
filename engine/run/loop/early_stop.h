#pragma once

/// `early_stop` of an experiment: skips or stops sweep members that cannot become the best. Pure
/// except for the statuses it sets.

#include <vector>

#include "engine/plan/experiment.h"
#include "engine/predict/cost_table.h"
#include "engine/run/measure/variant_run.h"

namespace stagelane::run {

/// Before the first turn: skips members whose predicted step exceeds the shortest of their sweep by
/// more than the prediction error. Requires measured costs; estimates skip nothing.
void leaveOutHopeless(const plan::Experiment& experiment, const predict::CostTable* costs,
                      std::vector<VariantRun>& runs);

/// Between rounds: after three repeats, stops members whose every repeat was longer than every
/// repeat of the sweep's best, with means further apart than both spreads. Their measurements are
/// kept.
void stopHopeless(const plan::Experiment& experiment, std::vector<VariantRun>& runs);

}  // namespace stagelane::run
