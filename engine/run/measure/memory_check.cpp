#include "engine/run/measure/memory_check.h"

#include <algorithm>

#include "engine/plan/rows.h"

namespace stagelane::run {

Result<std::optional<predict::OverBudget>> overBudget(const plan::Experiment& experiment,
                                                      const plan::Variant& variant,
                                                      const predict::CostTable* table) {
  const std::vector<DeviceId> rows = plan::rowsOf(variant);
  const auto limited = [&](const DeviceId& row) {
    return plan::memoryLimit(experiment, row).has_value();
  };
  if (std::none_of(rows.begin(), rows.end(), limited)) return std::nullopt;
  STAGELANE_TRY(expected, predict::expectedPlan(experiment, variant, table));
  return predict::overBudget(experiment, rows, expected->simulation.peakBytes);
}

}  // namespace stagelane::run
