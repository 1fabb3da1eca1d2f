#pragma once

/// Predictions as the window shows them: `search::predictPlan` with the idle causes of the
/// predicted step. Immutable; any thread.

#include <QString>
#include <memory>

#include "engine/base/result.h"
#include "engine/plan/experiment.h"
#include "engine/search/variant_order.h"
#include "profiler/analysis/idle.h"

namespace stagelane::ui {

using predict::PredictedDevice;
using predict::StepPrediction;
using search::PredictionBasis;
using search::predictStep;

struct PlanPrediction : predict::Prediction {
  analysis::StepBreakdown breakdown;  ///< devices by row

  /// Why the plan cannot run although its schedule is valid (over budget); empty if it can.
  [[nodiscard]] QString impediment() const;
};
using PlanPredictionPtr = std::shared_ptr<const PlanPrediction>;

/// @errors as search::predictPlan
[[nodiscard]] Result<PlanPredictionPtr> predictPlan(const plan::Experiment& experiment,
                                                    const plan::Variant& variant,
                                                    const PredictionBasis& basis = {});

/// Falls back to estimates if the table does not cover the plan.
[[nodiscard]] inline PredictionBasis orEstimated(const predict::CostTable* costs,
                                                 const GoesOn& goesOn = {}) {
  return {.costs = costs, .goesOn = goesOn, .orEstimated = true};
}

}  // namespace stagelane::ui
