#include "ui/session/prediction/prediction.h"

#include <utility>

#include "ui/kit/text/formatting.h"

namespace stagelane::ui {

QString PlanPrediction::impediment() const {
  return over ? QObject::tr("%1 is over budget: needs %2, has %3")
                    .arg(qstring(over->device.value), bytesText(over->needs), bytesText(over->has))
              : QString();
}

Result<PlanPredictionPtr> predictPlan(const plan::Experiment& experiment,
                                      const plan::Variant& variant, const PredictionBasis& basis) {
  STAGELANE_TRY(predicted, search::predictPlan(experiment, variant, basis));
  auto prediction = std::make_shared<PlanPrediction>();
  static_cast<predict::Prediction&>(*prediction) = std::move(*predicted);
  const auto steps = analysis::stepsOf(*prediction->trace);
  if (!steps.empty()) {
    prediction->breakdown = analysis::breakDown(*prediction->trace, steps.front());
  }
  return PlanPredictionPtr(std::move(prediction));
}

}  // namespace stagelane::ui
