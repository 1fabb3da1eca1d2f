#pragma once

/// The variants of an experiment, predicted: what `stagelane predict` prints. Pure.

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
  std::vector<std::string> whatIf;  ///< as asked
  workspace::PeakHistory peaks;     ///< how far such predictions were off before
  std::size_t actions = 0;
  TimeNs simulatorNs = 0;  ///< in the simulator alone
};

/// The included variants. The experiment must outlive the answer.
/// @errors as ui::predictPlan, naming the variant
[[nodiscard]] Result<Predictions> predictAll(const plan::Experiment& experiment,
                                             const ui::PredictionBasis& basis,
                                             std::vector<std::string> whatIf);

/// docs/reference/json.md, "predict". The experiment is the one that was predicted.
[[nodiscard]] Json toJson(const plan::Experiment& experiment, const Predictions& predictions);
/// A row a variant, then why none is faster, and what the figures come from.
[[nodiscard]] std::string predictionTable(const plan::Experiment& experiment,
                                          const Predictions& predictions);

}  // namespace stagelane::app
