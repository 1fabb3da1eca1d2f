#pragma once

/// What one step of a variant consists of, as values that every row of an executor reads: the
/// lowered schedule, the workers of its rows, the pieces of the batch. Nothing here runs anything.

#include <ATen/core/Tensor.h>

#include <functional>
#include <string>
#include <vector>

#include "engine/plan/experiment.h"
#include "engine/run/device/worker.h"
#include "engine/schedule/lowering.h"

namespace stagelane::run {

/// Switches that no experiment sets. Tests use them to break a step on purpose.
struct ExecutorOptions {
  /// Every micro-batch's loss times this; anything but 1 is a wrong gradient.
  double lossFactor = 1.0;
  /// Called before each action, in the row's thread; may throw.
  std::function<void(int row, const schedule::LoweredAction&)> beforeAction;
  /// Asked at each SEND, in the row's thread: true loses the message.
  std::function<bool(int row, const schedule::LoweredAction&)> dropMessage;
};

/// What an executor plays. The pointers outlive it.
struct StepPlan {
  const plan::Experiment* experiment = nullptr;
  const plan::Variant* variant = nullptr;
  const schedule::LoweredSchedule* lowered = nullptr;
  std::vector<Worker*> workers;               ///< of the rows
  std::vector<std::int64_t> microBatchSizes;  ///< samples
  ExecutorOptions options;

  /// Executor::build refuses stages that have more than one.
  [[nodiscard]] int rowOfStage(int stage) const { return lowered->source.rows.row(stage); }
  [[nodiscard]] int lastStage() const { return lowered->source.stages - 1; }
  /// Inference: nothing is differentiated.
  [[nodiscard]] bool forwardOnly() const {
    return lowered->source.lossMode == schedule::LossMode::None;
  }
  [[nodiscard]] bool wholeBatchLoss() const {
    return lowered->source.lossMode == schedule::LossMode::WholeBatch;
  }
};

/// A batch where the step needs it: cut inputs on the first stage's device, targets on the last's.
struct StepInput {
  std::vector<at::Tensor> inputs;   ///< by micro-batch
  at::Tensor target;                ///< the whole batch
  std::vector<at::Tensor> targets;  ///< by micro-batch
};

/// Which step this is, for the records.
struct StepTag {
  int repeat = 0;
  int step = 0;
  /// For the check: OPT leaves the gradients in place, and inference keeps its outputs.
  bool keepGradients = false;
};

/// "F of stage 1, micro-batch 3".
[[nodiscard]] std::string describe(const schedule::LoweredAction& action);

/// Pieces of at most the given sizes along the first dimension, sharing storage.
[[nodiscard]] std::vector<at::Tensor> cut(const at::Tensor& batch,
                                          const std::vector<std::int64_t>& sizes);

}  // namespace stagelane::run
