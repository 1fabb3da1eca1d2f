#pragma once

/// The lowered schedule of a variant with fixed stages and order.

#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/model/model.h"
#include "engine/plan/experiment.h"
#include "engine/schedule/lowering.h"

namespace stagelane::predict {

/// The schedule from its generator, CSV file or the resolved order of `auto`; then `lower` with the
/// model's ties, and `validate` unless a generator made it.
/// @errors Invalid: the schedule does not suit the stages, a CSV file cannot be read, or the order
/// of `auto` is still open
[[nodiscard]] Result<schedule::LoweredSchedule> lowerVariant(const plan::Experiment& experiment,
                                                             const plan::Variant& variant);

/// Rejects included variants whose stages do not suit their schedule. Searched orders always do.
/// @errors as lowerVariant, with the variant's name
[[nodiscard]] Status checkSchedules(const plan::Experiment& experiment);

/// `plan::applyFixedPlan` of a file, with a check of its orders. @errors Invalid, naming the file
[[nodiscard]] Status applyPlanFile(const std::string& file, plan::Experiment& experiment);

/// What a step of the schedule does: for inference its forwards only. Not validated.
[[nodiscard]] schedule::LoweredSchedule lowerFor(plan::Task task, schedule::Schedule schedule,
                                                 const schedule::TiedStages& tied);

/// Prefixes the error's place with that of the variant's schedule.
[[nodiscard]] Error atSchedule(const plan::Variant& variant, Error error);

/// Stages that share a parameter.
[[nodiscard]] schedule::TiedStages tiedStages(const model::Model& model,
                                              const std::vector<plan::Stage>& stages);

}  // namespace stagelane::predict
