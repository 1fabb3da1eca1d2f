#pragma once

/// What the gradients must be: plain autograd over the same micro-batches, one after the other, on
/// one worker, without stage cuts, exchange or optimizer. Shares the operators (tensors.h) and the
/// data (data.h) with the executor, and nothing else. Where the model does not fit one device it is
/// cut at devices, and only there.

#include <ATen/core/Tensor.h>

#include <map>
#include <string>
#include <vector>

#include "engine/run/device/worker.h"
#include "engine/run/step/data.h"
#include "engine/run/step/tensors.h"
#include "engine/schedule/lowering.h"

namespace stagelane::run {

/// What a training step leaves behind before the optimizer runs; of inference the outputs (and the
/// buffers, which it must leave alone).
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
  /// Per stage of the variant: its blocks, and its micro-batches in the order in which the variant
  /// adds up their weight gradients.
  std::vector<plan::Stage> stages;
  std::vector<std::vector<int>> gradientOrder;
  /// Per stage of the variant: its micro-batches in the order of its forwards, whose running
  /// statistics the reference has; empty where that is their own order or makes no difference.
  std::vector<std::vector<int>> statisticsOrder;
};

/// A copy in the host's memory that no device's budget pays for. @pre the tensor is defined
[[nodiscard]] at::Tensor hostCopy(const at::Tensor& tensor);

/// The order in which each stage of a schedule adds up its micro-batches' weight gradients.
[[nodiscard]] std::vector<std::vector<int>> gradientOrder(const schedule::LoweredSchedule& lowered);

/// The host's batch on a device, cut into the plan's micro-batches.
[[nodiscard]] std::vector<at::Tensor> microBatchesOn(const ReferencePlan& plan,
                                                     const at::Tensor& whole, at::Device device);

/// How a micro-batch of the experiment's first batch is forwarded.
[[nodiscard]] ForwardMode referenceMode(const ReferencePlan& plan, std::size_t microBatch);

/// Blocks until done. @errors OutOfMemory, EngineFailure
[[nodiscard]] Result<TrainingSnapshot> referenceStep(const ReferencePlan& plan,
                                                     const InitialValues& values,
                                                     const Batch& batch);

}  // namespace stagelane::run
