#include "engine/search/variant_order.h"

#include "engine/plan/rows.h"
#include "engine/predict/plan_costs.h"
#include "engine/predict/variant_schedule.h"
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

/// The answer of `work` with the basis, or with estimates if it allows that and the costs do not
/// suffice.
template <class Work>
auto byBasis(PredictionBasis basis, const Work& work) {
  const bool orEstimated = std::exchange(basis.orEstimated, false);
  const auto by = [&](const predict::CostTable* costs) {
    basis.costs = costs;
    return work(basis);
  };
  return orEstimated ? predict::costsOrEstimates(basis.costs, by) : by(basis.costs);
}

}  // namespace

Result<plan::Variant> withOrder(const plan::Experiment& experiment, plan::Variant variant,
                                const PredictionBasis& basis) {
  if (!plan::hasOpenOrder(variant)) return variant;
  auto order =
      byBasis(basis, [&](const PredictionBasis& by) { return findOrder(experiment, variant, by); });
  if (!order) return tl::make_unexpected(predict::atSchedule(variant, order.error()));
  variant.order = std::move(*order);
  return variant;
}

Result<predict::Prediction> predictPlan(const plan::Experiment& experiment,
                                        const plan::Variant& variant,
                                        const PredictionBasis& basis) {
  return byBasis(basis, [&](const PredictionBasis& by) {
    return withOrder(experiment, variant, by).and_then([&](const plan::Variant& one) {
      return predict::predictPlan(experiment, one, by.costs, by.whatIf);
    });
  });
}

Result<predict::StepPrediction> predictStep(const plan::Experiment& experiment,
                                            const plan::Variant& variant,
                                            const PredictionBasis& basis) {
  return byBasis(basis, [&](const PredictionBasis& by) {
    return withOrder(experiment, variant, by).and_then([&](const plan::Variant& one) {
      return predict::predictStep(experiment, one, by.costs, by.whatIf);
    });
  });
}

}  // namespace stagelane::search
