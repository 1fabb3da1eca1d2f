#pragma once

/// A run that goes on after its process was ended: what was measured is taken over and not measured
/// again. Pure.

#include <vector>

#include "engine/plan/experiment.h"
#include "engine/record/run_record.h"
#include "engine/run/measure/variant_run.h"

namespace stagelane::run {

/// Variants that have their results keep them and take no more turns; the others keep the seconds
/// of their repeats. A variant that is left out now stays so.
void takeOver(const plan::Experiment& experiment, const record::RunResult& before,
              std::vector<VariantRun>& runs);

/// The check of an earlier process passed, by the rule of this one.
[[nodiscard]] bool passedBefore(const record::VariantResult& result);

}  // namespace stagelane::run
