#pragma once

/// Running statistics of batch norm depend on the order of a stage's forwards, which differs
/// between schedules (published ones use the order of the micro-batches). The outputs of training
/// forwards do not depend on them. A reference can therefore take its gradients from one order and
/// the statistics of a stage from another.

#include "engine/run/proof/reference.h"
#include "engine/run/step/step.h"

namespace stagelane::run {

/// Per stage its micro-batches in the order of its forwards. Empty if every stage uses the order of
/// the micro-batches, or if no buffer depends on it: without batch norm, in inference, and with
/// deferred statistics.
[[nodiscard]] std::vector<std::vector<int>> statisticsOrder(const StepPlan& plan);

/// Corrects the buffers of a reference that ran forwards in the order of the micro-batches: for
/// stages with another order, reruns the forwards without gradients, once for each distinct order.
/// Blocks, stops and fails as referenceStep.
[[nodiscard]] Status replayStatistics(const ReferencePlan& plan, const InitialValues& values,
                                      const Batch& batch, const RunControl& control,
                                      TrainingSnapshot& reference);

}  // namespace stagelane::run
