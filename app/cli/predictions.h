#pragma once

/// Predictions of an experiment's variants, as `stagelane predict` prints them. Pure.

#include <string>
#include <vector>

#include "engine/base/json.h"
#include "engine/base/result.h"
#include "engine/plan/experiment.h"
#include "engine/predict/explain.h"
#include "engine/workspace/peak_history.h"
#include "ui/session/prediction/prediction.h"

namespace stagelane::app {

struct Predicted {
  const plan::Variant* variant = nullptr;
  ui::PlanPredictionPtr plan;
  predict::Explanation explanation;
  TimeNs unchangedStepNs = 0;  ///< without the what-if; 0 when there is none
};

struct Predictions {
  std::vector<Predicted> variants;
  std::vector<std::string> whatIf;  ///< as on the command line
  workspace::PeakHistory peaks;     ///< errors of earlier predictions
  std::size_t actions = 0;
  TimeNs simulatorNs = 0;  ///< time in the simulator
};

/// Predicts the included variants. The experiment must outlive the result.
/// @errors as ui::predictPlan, naming the variant
[[nodiscard]] Result<Predictions> predictAll(const plan::Experiment& experiment,
                                             const ui::PredictionBasis& basis,
                                             std::vector<std::string> whatIf);

/// docs/reference/json.md, "predict". Takes the predicted experiment.
[[nodiscard]] Json toJson(const plan::Experiment& experiment, const Predictions& predictions);
/// A row per variant, then why none is faster, and the source of the figures.
[[nodiscard]] std::string predictionTable(const plan::Experiment& experiment,
                                          const Predictions& predictions);

}  // namespace stagelane::app
