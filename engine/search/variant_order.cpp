#include "engine/search/variant_order.h"

#include "engine/plan/rows.h"
#include "engine/predict/plan_costs.h"
#include "engine/predict/variant_schedule.h"
#include "engine/schedule/methods.h"
#include "engine/schedule/text_forms.h"
#include "engine/search/synthesis.h"

namespace stagelane::search {

bool hasOpenOrder(const plan::Variant& variant) {
  return variant.schedule == schedule::kAutoSchedule && variant.order.empty();
}

Result<std::string> findOrder(const plan::Experiment& experiment, const plan::Variant& variant,
                              const predict::CostTable* table, const GoesOn& goesOn) {
  const auto costs = predict::planCosts(experiment, variant, table);
  if (!costs) return tl::make_unexpected(predict::atSchedule(variant, costs.error()));
  SynthesisTask task;
  task.deviceOfStage = plan::rowOfEachStage(variant.stages);
  task.costs = &*costs;
  task.caps = capsOf(experiment, plan::rowsOf(variant));
  task.tied = predict::tiedStages(*experiment.model, variant.stages);
  task.goesOn = goesOn;
  const auto found = synthesize(task);
  if (!found) return tl::make_unexpected(predict::atSchedule(variant, found.error()));
  // A published schedule may be more than its rows: `tutorial` has one loss for all micro-batches.
  return found->origin == kFromSearch ? schedule::toCsv(found->schedule) : found->origin;
}

Result<schedule::LoweredSchedule> lowerVariant(const plan::Experiment& experiment,
                                               const plan::Variant& variant,
                                               const predict::CostTable* table,
                                               const GoesOn& goesOn) {
  if (!hasOpenOrder(variant)) {
    return predict::lowerVariant(experiment, variant);
  }
  auto order = findOrder(experiment, variant, table, goesOn);
  if (!order) return tl::make_unexpected(order.error());
  plan::Variant resolved = variant;
  resolved.order = std::move(*order);
  return predict::lowerVariant(experiment, resolved);
}

}  // namespace stagelane::search
