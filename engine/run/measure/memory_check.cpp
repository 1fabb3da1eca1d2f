#include "engine/run/measure/memory_check.h"

#include <algorithm>

#include "engine/plan/rows.h"
#include "engine/predict/plan_costs.h"
#include "engine/predict/simulator.h"

namespace stagelane::run {

Result<std::optional<predict::OverBudget>> overBudget(const plan::Experiment& experiment,
                                                      const plan::Variant& variant,
                                                      const schedule::LoweredSchedule& lowered,
                                                      const predict::CostTable* table) {
  const std::vector<DeviceId> rows = plan::rowsOf(variant);
  const auto limited = [&](const DeviceId& row) {
    return plan::memoryLimit(experiment, row).has_value();
  };
  if (std::none_of(rows.begin(), rows.end(), limited)) return std::nullopt;
  auto costs = predict::planCosts(experiment, variant, table);
  // An incomplete table must not prevent the run.
  if (!costs) costs = predict::estimateCosts(experiment, variant);
  STAGELANE_CHECK(costs);
  STAGELANE_TRY(simulation, predict::simulate(lowered, *costs));
  return predict::overBudget(experiment, rows, simulation->peakBytes);
}

}  // namespace stagelane::run
