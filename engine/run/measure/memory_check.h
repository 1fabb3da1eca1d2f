#pragma once

/// Checks before a run whether a variant fits the memory budgets of its devices: from the measured
/// memory use of its actions if available, else from static sizes and the micro-batches that its
/// schedule keeps alive. The devices' allocators enforce the budget.

#include <optional>

#include "engine/plan/experiment.h"
#include "engine/predict/cost_table.h"
#include "engine/predict/prediction.h"
#include "engine/schedule/lowering.h"

namespace stagelane::run {

/// The device of the variant with the largest deficit, empty if all fit. `costs` may be null.
/// @errors Invalid
[[nodiscard]] Result<std::optional<predict::OverBudget>> overBudget(
    const plan::Experiment& experiment, const plan::Variant& variant,
    const schedule::LoweredSchedule& lowered, const predict::CostTable* costs = nullptr);

}  // namespace stagelane::run
