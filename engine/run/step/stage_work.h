#pragma once

/// One stage of a row: its tensors, its optimizer, and its compute actions. Works on one (stage,
/// micro-batch) at a time, passed as a slot; the row handles neighbors and transfers.

#include <ATen/core/Tensor.h>

#include <memory>
#include <vector>

#include "engine/run/ranks/gradient_reducer.h"
#include "engine/run/step/moved.h"
#include "engine/run/step/optimizer.h"
#include "engine/run/step/slots.h"
#include "engine/run/step/step.h"
#include "engine/run/step/tensors.h"

namespace stagelane::run {

class StageWork {
 public:
  /// Creates the stage's tensors. `plan` outlives it. May throw. @thread the row's worker
  StageWork(const StepPlan& plan, int stage, const InitialValues& values, at::Device device);
  /// Trains these tensors.
  StageWork(const StepPlan& plan, int stage, StageTensors tensors);

  /// Sets the batch number and the sizes of the micro-batches, on which dropout depends.
  void stepBegins(const StepTag& tag, const StepInput& input);
  /// F; in inference keeps only the outputs. May throw, as all of these. @thread the row's worker,
  /// as all of these
  void forward(Slot& slot, int microBatch, std::vector<at::Tensor> inputs);
  /// B.
  void backward(Slot& slot, int microBatch);
  /// I. Does nothing for the first stage, which has no input gradient: its W is the full backward.
  void inputGradient(Slot& slot, int microBatch);
  /// W.
  void weightGradient(Slot& slot, int microBatch);
  /// Whether the last B ended with the sums over the replicas in other processes.
  [[nodiscard]] bool reducedNow() const { return m_reducer != nullptr && m_left == 0; }
  /// When the gradients of the step were computed, and the all-reduces. @pre reducedNow()
  [[nodiscard]] TimeNs computedNs() const { return m_computedNs; }
  [[nodiscard]] const std::vector<BucketSpan>& buckets() const { return m_buckets; }
  /// REDUCE: the part of the all-reduces that was not hidden under computing. @pre reducedNow()
  [[nodiscard]] Moved reduced() const;
  /// OPT.
  void optimize(const StepTag& tag);

  [[nodiscard]] const StageTensors& tensors() const { return m_tensors; }

 private:
  enum class Pass { First, Again };
  [[nodiscard]] std::vector<at::Tensor> run(const Slot& slot, int microBatch, Pass pass) const;
  void ensureGraph(Slot& slot, int microBatch) const;
  [[nodiscard]] bool recomputes(int microBatch) const;
  void reduceWithLast();
  void finishReducing();

  const StepPlan& m_plan;
  int m_stage;
  std::int64_t m_step = 0;
  std::vector<std::int64_t> m_sizes;  ///< of this step's micro-batches
  StageTensors m_tensors;
  std::unique_ptr<Optimizer> m_optimizer;
  std::unique_ptr<DeferredStatistics> m_deferred;  ///< null for running statistics
  std::unique_ptr<GradientReducer> m_reducer;      ///< null: no replicas in other processes
  int m_backwards = 0;                             ///< of the stage here, in a step
  int m_left = 0;                                  ///< of this step
  std::vector<at::Tensor> m_lastOutputs;           ///< with a graph, for find_unused
  std::vector<BucketSpan> m_buckets;               ///< of this step
  TimeNs m_computedNs = 0;
  TimeNs m_reducedNs = 0;
};

/// The losses of a step and their gradients for the outputs. LOSS includes its own backward, so
/// that the last stage's backward starts at its outputs like any other stage's.
class LossWork {
 public:
  /// `plan` outlives it.
  explicit LossWork(const StepPlan& plan) : m_plan(plan) {}

  void stepBegins(const StepInput& input);
  /// LOSS of one micro-batch. May throw. @thread the row's worker
  void ofMicroBatch(Slot& slot, int microBatch, const at::Tensor& target);
  /// The single LOSS of all micro-batches, over their concatenated outputs. May throw.
  /// @thread the row's worker
  void ofWholeBatch(Slots& slots, const at::Tensor& target);

  /// Losses of the last step by micro-batch, one for a whole batch; undefined if the step was
  /// stopped before.
  [[nodiscard]] const std::vector<at::Tensor>& losses() const { return m_losses; }

 private:
  /// Stores the loss under that number. @returns the gradient of `output`
  [[nodiscard]] at::Tensor take(std::size_t number, const at::Tensor& output,
                                const at::Tensor& target);

  const StepPlan& m_plan;
  std::vector<std::int64_t> m_sizes;  ///< of this step's micro-batches
  std::vector<at::Tensor> m_losses;
};

}  // namespace stagelane::run
