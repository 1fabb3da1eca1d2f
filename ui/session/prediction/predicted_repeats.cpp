#include "ui/session/prediction/predicted_repeats.h"

#include "engine/search/resolve.h"
#include "ui/session/prediction/prediction.h"

namespace stagelane::ui {

std::map<std::string, double> predictedRepeats(const Json& document, const std::string& folder,
                                               const RepeatBasis& basis) {
  std::map<std::string, double> seconds;
  auto experiment = plan::readExperiment(document, folder, basis.machine);
  if (!experiment) return seconds;
  experiment = search::resolveStages(std::move(*experiment), basis.costs, basis.goesOn);
  const auto batches = static_cast<double>(experiment->data.batches);
  for (const plan::Variant& variant : experiment->variants) {
    if (!plan::strategyRow(variant.strategy).pipelined) continue;
    const auto step = predictStep(*experiment, variant, orEstimated(basis.costs, basis.goesOn));
    if (!isWanted(basis.goesOn)) break;
    if (step) seconds[variant.id] = static_cast<double>(step->stepNs) * 1e-9 * batches;
  }
  return seconds;
}

}  // namespace stagelane::ui
