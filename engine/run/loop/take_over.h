#pragma once

/// Resumes a run whose process ended: keeps its measurements instead of repeating them. Pure.

#include <vector>

#include "engine/plan/experiment.h"
#include "engine/record/run_record.h"
#include "engine/run/measure/variant_run.h"

namespace stagelane::run {

/// Variants with results keep them and take no more turns; the others keep the seconds of their
/// repeats. A variant that is not included now stays excluded.
void takeOver(const plan::Experiment& experiment, const record::RunResult& before,
              std::vector<VariantRun>& runs);

}  // namespace stagelane::run
