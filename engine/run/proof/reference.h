#pragma once

/// The expected gradients: plain autograd over the same micro-batches in sequence, on one worker,
/// without stage cuts, exchange or optimizer. Shares only the operators (tensors.h) and the data
/// (data.h) with the executor. A model that does not fit one device is cut at devices, and only
/// there.

#include <ATen/core/Tensor.h>

#include <map>
#include <string>
#include <vector>

#include "engine/run/device/worker.h"
#include "engine/run/step/data.h"
#include "engine/run/step/run_control.h"
#include "engine/run/step/tensors.h"
#include "engine/schedule/lowering.h"

namespace stagelane::run {

/// The state after a training step before the optimizer runs, in host memory; for inference the
/// outputs (and the buffers, which must be unchanged).
struct TrainingSnapshot {
  std::map<int, at::Tensor> outputs;  ///< inference, per micro-batch
  std::vector<at::Tensor> losses;     ///< per micro-batch, one for a whole-batch loss
  std::map<std::string, at::Tensor> gradients;
  std::map<std::string, at::Tensor> buffers;
};

/// Consecutive blocks on one worker.
struct ReferencePart {
  std::size_t firstBlock = 0;
  std::size_t lastBlock = 0;
  Worker* worker = nullptr;
};

struct ReferencePlan {
  const plan::Experiment* experiment = nullptr;
  std::vector<ReferencePart> parts;  ///< one, unless the model does not fit a device
  std::vector<std::int64_t> microBatchSizes;
  bool wholeBatchLoss = false;
  bool forwardOnly = false;  ///< inference
  /// Per stage of the variant: its blocks, and its micro-batches in the order of their
  /// weight-gradient accumulation.
  std::vector<plan::Stage> stages;
  std::vector<std::vector<int>> gradientOrder;
  /// Of each stage of the variant; replica r has the micro-batches k with k mod replicas = r. The
  /// sums of the replicas are added in order.
  int replicas = 1;
  /// Per stage of the variant: its micro-batches in the order of its forwards, for the running
  /// statistics; empty if that is the default order or makes no difference.
  std::vector<std::vector<int>> statisticsOrder;
  /// How many of the variant's actions take as long as one micro-batch on a part, at most.
  int actionsPerMicroBatch = 1;
};

/// How long one micro-batch on a part may take before its device counts as stuck.
[[nodiscard]] TimeNs longestMicroBatchNs(const ReferencePlan& plan, const RunControl& control);

/// A copy in host memory that does not count against a device's budget. @pre the tensor is defined
[[nodiscard]] at::Tensor hostCopy(const at::Tensor& tensor);

/// The order in which each stage of a schedule accumulates its micro-batches' weight gradients, one
/// replica after another.
[[nodiscard]] std::vector<std::vector<int>> gradientOrder(const schedule::LoweredSchedule& lowered);

/// The host's batch on a device, split into the plan's micro-batches.
[[nodiscard]] std::vector<at::Tensor> microBatchesOn(const ReferencePlan& plan,
                                                     const at::Tensor& whole, at::Device device);

/// The forward mode for a micro-batch of the experiment's first batch.
[[nodiscard]] ForwardMode referenceMode(const ReferencePlan& plan, std::size_t microBatch);

/// Blocks until done, until `control` stops the run, or until a device is found to be stuck; its
/// worker is then abandoned. @pre the experiment and `control` live as long as the workers
/// @errors OutOfMemory, EngineFailure (also after a stop)
[[nodiscard]] Result<TrainingSnapshot> referenceStep(const ReferencePlan& plan,
                                                     const InitialValues& values,
                                                     const Batch& batch, const RunControl& control);

}  // namespace stagelane::run
