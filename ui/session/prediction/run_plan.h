#pragma once

/// The plan that a run folder keeps, and the predicted time of a repeat for each of its pipelines:
/// the line that the split-size chart shows for unmeasured variants.

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "engine/base/goes_on.h"
#include "engine/plan/experiment.h"
#include "engine/predict/cost_table.h"

namespace stagelane::ui {

struct RunPlan {
  plan::Experiment experiment;              ///< all stages are fixed
  std::optional<predict::CostTable> costs;  ///< none: estimates
  [[nodiscard]] const predict::CostTable* table() const { return costs ? &*costs : nullptr; }
};

/// Whether a variant of the plan is needed; empty: all are.
using VariantFilter = std::function<bool(const plan::Variant&)>;

/// A run's experiment with the stages and orders of its plan.json, and its costs. Runs of earlier
/// versions have no plan.json: their stages are searched for here, and their orders stay open.
/// Variants that are not needed are omitted before the search.
/// @errors Invalid: an experiment or a plan that cannot be read
/// @thread any, blocks while searching
[[nodiscard]] Result<RunPlan> readRunPlan(const std::filesystem::path& folder,
                                          const GoesOn& goesOn = {},
                                          const VariantFilter& needed = {});

/// Seconds by variant id, without variants that cannot be predicted. If `goesOn` returns false, the
/// results so far are returned.
/// @thread any, blocks while predicting
[[nodiscard]] std::map<std::string, double> predictedRepeats(const RunPlan& run,
                                                             const GoesOn& goesOn = {});

}  // namespace stagelane::ui
