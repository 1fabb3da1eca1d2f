#include "ui/models/predicted_repeats.h"

#include "engine/plan/experiment.h"
#include "ui/models/prediction.h"

namespace stagelane::ui {

std::map<std::string, double> predictedRepeats(const Json& document, const std::string& folder,
                                               const predict::CostTable* costs) {
  std::map<std::string, double> seconds;
  const auto experiment = plan::readExperiment(document, folder, {});
  if (!experiment) return seconds;
  const auto batches = static_cast<double>(experiment->data.batches);
  for (const plan::Variant& variant : experiment->variants) {
    if (variant.strategy != plan::Strategy::Pipeline) continue;
    PredictionBasis basis;
    basis.costs = costs;
    auto step = predictStep(*experiment, variant, basis);
    if (!step && costs != nullptr) step = predictStep(*experiment, variant);
    if (step) seconds[variant.id] = static_cast<double>(step->stepNs) * 1e-9 * batches;
  }
  return seconds;
}

}  // namespace stagelane::ui
