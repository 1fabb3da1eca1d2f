#pragma once

/// The order of an `auto` variant, searched for with the plan's own costs and memory.

#include <string>

#include "engine/base/goes_on.h"
#include "engine/base/result.h"
#include "engine/plan/experiment.h"
#include "engine/predict/cost_table.h"
#include "engine/schedule/lowering.h"

namespace stagelane::search {

/// Whether the variant is `auto`, and its order not found yet.
[[nodiscard]] bool hasOpenOrder(const plan::Variant& variant);

/// What `plan::Variant::order` says of an `auto` variant with these stages. `table` may be null:
/// estimates. The search ends where `goesOn` says no. @errors Invalid: no costs for the stages
[[nodiscard]] Result<std::string> findOrder(const plan::Experiment& experiment,
                                            const plan::Variant& variant,
                                            const predict::CostTable* table,
                                            const GoesOn& goesOn = {});

/// As `predict::lowerVariant`, which an open order is found for first.
[[nodiscard]] Result<schedule::LoweredSchedule> lowerVariant(const plan::Experiment& experiment,
                                                             const plan::Variant& variant,
                                                             const predict::CostTable* table,
                                                             const GoesOn& goesOn = {});

}  // namespace stagelane::search
