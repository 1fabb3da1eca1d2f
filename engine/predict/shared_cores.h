#pragma once

/// How much slower the processes of an asynchronous variant are than one of them alone, because
/// they share cores and memory. All of them compute all the time, so one factor does; CPU workers
/// of other variants, which wait for each other, are simulated (contended_player.cpp).

#include "engine/plan/experiment.h"
#include "engine/predict/plan_costs.h"

namespace stagelane::predict {

/// The factor on durations while so many workers compute: linear between the given counts, from 1
/// for one; constant above the last. @pre not empty
[[nodiscard]] double contentionAt(const std::map<int, double>& contention, int busy);

/// Stretches the durations of the variant's actions: by the contention of its costs, if known, or
/// by the threads a core of the machine gets, if that is more. Other variants stay as they are.
void shareCores(const plan::Experiment& experiment, const plan::Variant& variant,
                const WhatIf& whatIf, PlanCosts& plan);

}  // namespace stagelane::predict
