#pragma once

/// Checks before a run whether a variant fits the memory budgets of its devices, by the peaks that
/// the window and the command line predict. The devices' allocators enforce the budget.

#include <optional>

#include "engine/plan/experiment.h"
#include "engine/predict/cost_table.h"
#include "engine/predict/prediction.h"

namespace stagelane::run {

/// The device of the variant with the largest deficit, empty if all fit, by its `expectedPlan`.
/// @errors as predict::expectedPlan
[[nodiscard]] Result<std::optional<predict::OverBudget>> overBudget(
    const plan::Experiment& experiment, const plan::Variant& variant,
    const predict::CostTable* table = nullptr);

}  // namespace stagelane::run
