#pragma once

/// Decides before a run whether a variant fits the memory budgets of its devices: from measured
/// costs where they say what actions do to a device's account, else from static sizes and the
/// micro-batches that its schedule keeps alive. The budget itself is enforced by the devices'
/// allocators.

#include <optional>

#include "engine/plan/experiment.h"
#include "engine/predict/cost_table.h"
#include "engine/schedule/lowering.h"

namespace stagelane::run {

struct OverBudget {
  DeviceId device;
  Bytes needs = 0;
  Bytes has = 0;
};
/// "does not fit: needs 1.2 GiB, has 600 MiB (cpu:0)".
[[nodiscard]] std::string describe(const OverBudget& over);

/// The first device of the variant that its budget does not suffice for, nothing when all fit.
/// `costs` may be null. @errors Invalid
[[nodiscard]] Result<std::optional<OverBudget>> overBudget(
    const plan::Experiment& experiment, const plan::Variant& variant,
    const schedule::LoweredSchedule& lowered, const predict::CostTable* costs = nullptr);

}  // namespace stagelane::run
