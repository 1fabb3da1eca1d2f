#pragma once

/// The lowered schedule of a variant whose stages and order are fixed.

#include <vector>

#include "engine/base/result.h"
#include "engine/model/model.h"
#include "engine/plan/experiment.h"
#include "engine/schedule/lowering.h"

namespace stagelane::predict {

/// Generator, CSV file, or the order that `auto` was resolved to, then `lower` with the model's
/// ties, then `validate`.
/// @errors Invalid: the schedule does not suit the stages, a CSV file cannot be read, or the order
/// of `auto` is still open
[[nodiscard]] Result<schedule::LoweredSchedule> lowerVariant(const plan::Experiment& experiment,
                                                             const plan::Variant& variant);

/// The error with the place of the variant's schedule before its own.
[[nodiscard]] Error atSchedule(const plan::Variant& variant, Error error);

/// Stages that share a parameter.
[[nodiscard]] schedule::TiedStages tiedStages(const model::Model& model,
                                              const std::vector<plan::Stage>& stages);

}  // namespace stagelane::predict
