#pragma once

/// Decides before a run whether a variant fits the memory budgets of its devices: from measured
/// costs where they say what actions do to a device's account, else from static sizes and the
/// micro-batches that its schedule keeps alive. The budget itself is enforced by the devices'
/// allocators.

#include <optional>

#include "engine/plan/experiment.h"
#include "engine/predict/cost_table.h"
#include "engine/predict/prediction.h"
#include "engine/schedule/lowering.h"

namespace stagelane::run {

/// The device of the variant that lacks most of its budget, nothing if all fit. `costs` may be null.
/// @errors Invalid
[[nodiscard]] Result<std::optional<predict::OverBudget>> overBudget(
    const plan::Experiment& experiment, const plan::Variant& variant,
    const schedule::LoweredSchedule& lowered, const predict::CostTable* costs = nullptr);

}  // namespace stagelane::run
