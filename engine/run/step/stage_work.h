#pragma once

/// One stage of a row: its tensors, its optimizer, and what the compute actions do with them. Knows
/// one (stage, micro-batch) at a time, handed in as a slot; neighbours and transfers are the row's.

#include <ATen/core/Tensor.h>

#include <memory>
#include <vector>

#include "engine/run/step/optimizer.h"
#include "engine/run/step/slots.h"
#include "engine/run/step/step.h"
#include "engine/run/step/tensors.h"

namespace stagelane::run {

class StageWork {
 public:
  /// Makes the stage's tensors. `plan` outlives it. May throw. @thread the row's worker
  StageWork(const StepPlan& plan, int stage, const InitialValues& values, at::Device device);

  /// Dropout depends on which batch it is.
  void stepBegins(const StepTag& tag) { m_step = tag.step; }
  /// F; of inference it keeps the outputs only. May throw, as all of these. @thread the row's
  /// worker, as all of these
  void forward(Slot& slot, int microBatch, std::vector<at::Tensor> inputs);
  /// B.
  void backward(Slot& slot, int microBatch);
  /// I. The first stage has no input gradient: there this does nothing, and W is the full backward.
  void inputGradient(Slot& slot, int microBatch);
  /// W.
  void weightGradient(Slot& slot, int microBatch);
  /// OPT.
  void optimize(const StepTag& tag);

  [[nodiscard]] const StageTensors& tensors() const { return m_tensors; }

 private:
  enum class Pass { First, Again };
  [[nodiscard]] std::vector<at::Tensor> run(const Slot& slot, int microBatch, Pass pass) const;
  void ensureGraph(Slot& slot, int microBatch) const;
  [[nodiscard]] bool recomputes(int microBatch) const;

  const StepPlan& m_plan;
  int m_stage;
  std::int64_t m_step = 0;
  StageTensors m_tensors;
  std::unique_ptr<Optimizer> m_optimizer;
  std::unique_ptr<DeferredStatistics> m_deferred;  ///< null where statistics run
};

/// The losses of a step, and what they give back to the outputs they were made of. LOSS is the loss
/// and its own backward, so that the stage's backward begins at its outputs like any other's.
class LossWork {
 public:
  /// `plan` outlives it.
  explicit LossWork(const StepPlan& plan) : m_plan(plan) {}

  void stepBegins() { m_losses.clear(); }
  /// LOSS of one micro-batch. May throw. @thread the row's worker
  void ofMicroBatch(Slot& slot, int microBatch, const at::Tensor& target);
  /// The one LOSS of all micro-batches, over their concatenated outputs. May throw.
  /// @thread the row's worker
  void ofWholeBatch(Slots& slots, const at::Tensor& target);

  /// Losses of the last step by micro-batch, one for a whole batch; undefined where the step was
  /// stopped before.
  [[nodiscard]] const std::vector<at::Tensor>& losses() const { return m_losses; }

 private:
  /// Keeps the loss as the one with that number. @returns the gradient of `output`
  [[nodiscard]] at::Tensor take(std::size_t number, const at::Tensor& output,
                                const at::Tensor& target);

  const StepPlan& m_plan;
  std::vector<at::Tensor> m_losses;
};

}  // namespace stagelane::run
