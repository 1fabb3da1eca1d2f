#pragma once

/// The parts of one step of a variant, shared by all rows of an executor: the lowered schedule, the
/// workers of its rows, the pieces of the batch. Contains no logic.

#include <ATen/core/Tensor.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/plan/experiment.h"
#include "engine/run/device/worker.h"
#include "engine/schedule/lowering.h"

namespace stagelane::run {

class RemoteRows;

/// Switches for tests, which break a step on purpose; no experiment sets them.
struct ExecutorOptions {
  /// Multiplies every micro-batch's loss; any value but 1 gives wrong gradients.
  double lossFactor = 1.0;
  /// Called before each action, in the row's thread; may throw.
  std::function<void(int row, const schedule::LoweredAction&)> beforeAction;
  /// Called at each SEND, in the row's thread; returning true drops the message.
  std::function<bool(int row, const schedule::LoweredAction&)> dropMessage;
};

/// The input of an executor. The pointers outlive it.
struct StepPlan {
  const plan::Experiment* experiment = nullptr;
  const plan::Variant* variant = nullptr;
  const schedule::LoweredSchedule* lowered = nullptr;
  std::vector<Worker*> workers;               ///< of the rows; a stand-in for a remote row
  RemoteRows* remote = nullptr;               ///< null: all rows are in this process
  std::vector<std::int64_t> microBatchSizes;  ///< samples, of a whole batch
  ExecutorOptions options;
  bool keepSizes = false;  ///< for Executor::sizes
  /// The replicas are in processes of their own, and PyTorch's Reducer takes the mean of their
  /// gradients.
  bool reducesByBackend = false;

  /// The row that runs a micro-batch of a stage.
  [[nodiscard]] int rowOf(int stage, int microBatch) const {
    return lowered->source.rows.of(stage, microBatch);
  }
  /// Whether the row has a replica of the stage.
  [[nodiscard]] bool holds(int row, int stage) const {
    return lowered->source.rows.replicaOn(stage, row) >= 0;
  }
  /// Whether the row is the first one of this process.
  [[nodiscard]] bool isFirstHere(int row) const;
  [[nodiscard]] int lastStage() const { return lowered->source.stages - 1; }
  /// Inference: no gradients.
  [[nodiscard]] bool forwardOnly() const {
    return lowered->source.lossMode == schedule::LossMode::None;
  }
  [[nodiscard]] bool wholeBatchLoss() const {
    return lowered->source.lossMode == schedule::LossMode::WholeBatch;
  }
};

/// A batch on the devices that need it: split inputs on the first stage's, targets on the last's.
struct StepInput {
  std::vector<std::int64_t> sizes;  ///< of the micro-batches, in samples
  std::vector<at::Tensor> inputs;   ///< by micro-batch
  at::Tensor target;                ///< the whole batch, for a loss over it
  std::vector<at::Tensor> targets;  ///< by micro-batch
};

/// A copy of a part of the batch to a device, or the all-reduce of a bucket, for the trace.
struct BatchCopy {
  std::string name;  ///< `inputs`, `labels`, `bucket 0`
  int row = 0;
  TimeNs startNs = 0;
  TimeNs endNs = 0;
  Bytes bytes = 0;
};

/// Sizes of the tensors of a micro-batch in its first stage. @shape as of the tensors
struct MicroBatchSizes {
  int row = 0;
  int microBatch = 0;
  std::vector<std::int64_t> input;
  std::vector<std::int64_t> output;
};

/// Identifies the step in the records.
struct StepTag {
  int repeat = 0;
  int step = 0;
  /// For the gradient check: OPT keeps the gradients, and inference keeps its outputs.
  bool keepGradients = false;
};

/// The experiment's `stall_timeout_s`.
[[nodiscard]] std::optional<TimeNs> stallTimeoutNs(const plan::Experiment& experiment);

/// "F of stage 1, micro-batch 3".
[[nodiscard]] std::string describe(const schedule::LoweredAction& action);

/// The sizes of the micro-batches of a batch with this number of samples: those of the plan, or for
/// a smaller last batch as many, cut in the same way. @pre plan::checkLastBatch
[[nodiscard]] std::vector<std::int64_t> sizesOf(const StepPlan& plan, std::int64_t samples);

/// Pieces of at most the given sizes along the first dimension, sharing storage.
[[nodiscard]] std::vector<at::Tensor> cut(const at::Tensor& batch,
                                          const std::vector<std::int64_t>& sizes);

}  // namespace stagelane::run
