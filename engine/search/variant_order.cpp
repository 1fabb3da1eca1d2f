#include "engine/search/variant_order.h"

#include "engine/plan/rows.h"
#include "engine/predict/plan_costs.h"
#include "engine/predict/variant_schedule.h"
#include "engine/schedule/methods.h"
#include "engine/schedule/text_forms.h"
#include "engine/search/synthesis.h"

namespace stagelane::search {
namespace {

Result<std::string> findOrder(const plan::Experiment& experiment, const plan::Variant& variant,
                              const PredictionBasis& basis) {
  const schedule::StageRows rows = plan::stageRowsOf(variant.stages);
  STAGELANE_CHECK(schedule::requireSingle(rows));
  STAGELANE_TRY(costs, predict::planCosts(experiment, variant, basis.costs));
  SynthesisTask task;
  task.deviceOfStage = rows.rowOfStage();
  task.costs = &*costs;
  task.caps = capsOf(experiment, plan::rowsOf(variant));
  task.tied = predict::tiedStages(*experiment.model, variant.stages);
  task.effort = basis.effort;
  task.goesOn = basis.goesOn;
  STAGELANE_TRY(found, synthesize(task));
  // A published schedule may have more than its rows: `tutorial` has one loss for all
  // micro-batches.
  return found->origin == kFromSearch ? schedule::toCsv(found->schedule) : found->origin;
}

/// Runs `predict` on the variant with its order, with costs or, if incomplete, estimates.
template <class Predict>
auto ofOrdered(const plan::Experiment& experiment, const plan::Variant& variant,
               PredictionBasis basis, const Predict& predict) -> decltype(predict(variant, basis)) {
  const bool again = std::exchange(basis.orEstimated, false) && basis.costs != nullptr;
  auto answer = withOrder(experiment, variant, basis).and_then([&](const plan::Variant& one) {
    return predict(one, basis);
  });
  if (answer || !again) return answer;
  basis.costs = nullptr;
  return ofOrdered(experiment, variant, std::move(basis), predict);
}

}  // namespace

bool hasOpenOrder(const plan::Variant& variant) {
  return variant.schedule == schedule::kAutoSchedule && variant.order.empty();
}

Result<plan::Variant> withOrder(const plan::Experiment& experiment, plan::Variant variant,
                                const PredictionBasis& basis) {
  if (!hasOpenOrder(variant)) return variant;
  auto order = findOrder(experiment, variant, basis);
  if (!order && basis.orEstimated && basis.costs != nullptr) {
    order = findOrder(experiment, variant, {.goesOn = basis.goesOn, .effort = basis.effort});
  }
  if (!order) return tl::make_unexpected(predict::atSchedule(variant, order.error()));
  variant.order = std::move(*order);
  return variant;
}

Result<predict::Prediction> predictPlan(const plan::Experiment& experiment,
                                        const plan::Variant& variant,
                                        const PredictionBasis& basis) {
  return ofOrdered(experiment, variant, basis,
                   [&](const plan::Variant& one, const PredictionBasis& by) {
                     return predict::predictPlan(experiment, one, by.costs, by.whatIf);
                   });
}

Result<predict::StepPrediction> predictStep(const plan::Experiment& experiment,
                                            const plan::Variant& variant,
                                            const PredictionBasis& basis) {
  return ofOrdered(experiment, variant, basis,
                   [&](const plan::Variant& one, const PredictionBasis& by) {
                     return predict::predictStep(experiment, one, by.costs, by.whatIf);
                   });
}

}  // namespace stagelane::search
