#pragma once

/// Running statistics of batch norm depend on the order in which a stage does its forwards, which
/// is the order of the micro-batches in the published schedules and need not be in others. What a
/// forward puts out while training does not depend on them, so that a reference can have its
/// gradients from one order and the statistics of a stage from another.

#include "engine/run/proof/reference.h"
#include "engine/run/step/step.h"

namespace stagelane::run {

/// Per stage its micro-batches in the order of its forwards. Empty where every stage forwards in
/// the order of the micro-batches, or where no buffer depends on it: without batch norm, in
/// inference, and with deferred statistics.
[[nodiscard]] std::vector<std::vector<int>> statisticsOrder(const StepPlan& plan);

/// Replaces, in a reference that forwarded in the order of the micro-batches, the buffers of those
/// stages that forward in another order by what their own order leaves: one more pass of forwards,
/// without gradients, for each distinct order. Blocks until done. @errors OutOfMemory,
/// EngineFailure
[[nodiscard]] Status replayStatistics(const ReferencePlan& plan, const InitialValues& values,
                                      const Batch& batch, TrainingSnapshot& reference);

}  // namespace stagelane::run
