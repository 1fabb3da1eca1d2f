#pragma once

/// Plays the lowered schedule of one variant on its workers: each row runs its own list in its own
/// thread and waits only for the tensors it needs; there is no barrier inside a step. Steps follow
/// each other when all rows have ended.

#include <memory>
#include <string>
#include <vector>

#include "engine/run/detail/data.h"
#include "engine/run/detail/row.h"

namespace stagelane::run {

/// A copy of a batch's part to a device, for the trace.
struct BatchCopy {
  const char* name = "";  ///< `inputs`, `labels`
  int row = 0;
  TimeNs startNs = 0;
  TimeNs endNs = 0;
  Bytes bytes = 0;
};

class Executor {
 public:
  /// `control` and what `plan` points to outlive the executor.
  Executor(StepPlan plan, RunControl& control);
  /// Frees the tensors in their workers' threads.
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  /// Makes the stages' tensors, each in its worker's thread. @errors OutOfMemory, EngineFailure
  [[nodiscard]] Status build(const InitialValues& values);
  /// Copies a batch to the devices that need it, and cuts it. @errors OutOfMemory, EngineFailure
  [[nodiscard]] Result<StepInput> prepare(const Batch& batch);

  enum class Outcome { Done, Stopped };
  /// One training step; blocks until every row has ended.
  /// @errors of the first action that failed, naming device, action, stage and micro-batch
  [[nodiscard]] Result<Outcome> step(const StepInput& input, const StepTag& tag);
  /// Waits until every device has done what was queued. @errors EngineFailure
  [[nodiscard]] Status synchronize();

  /// Losses of the last step: one per micro-batch, or one for the whole batch.
  [[nodiscard]] const std::vector<at::Tensor>& losses() const;
  /// What was recorded since the last call. @pre synchronised
  [[nodiscard]] std::vector<trace::ActionRecord> takeRecords();
  [[nodiscard]] std::vector<BatchCopy> takeCopies();
  [[nodiscard]] const StepPlan& plan() const { return m_plan; }
  [[nodiscard]] const Row& row(std::size_t index) const { return *m_rows[index]; }

  void resetPeakBytes();
  [[nodiscard]] std::vector<Bytes> peakBytes() const;
  /// Per row, since it was built: most (stage, micro-batch) pairs between F and B (W) at once.
  [[nodiscard]] std::vector<int> peakLiveMicroBatches() const;

 private:
  template <class Job>
  [[nodiscard]] Status onEveryRow(const Job& job);
  [[nodiscard]] Status playRow(std::size_t index, const StepInput& input, const StepTag& tag);
  [[nodiscard]] Result<at::Tensor> copyTo(int row, const at::Tensor& tensor, const char* name);

  StepPlan m_plan;
  RunControl& m_control;
  Exchange m_exchange;
  std::vector<std::unique_ptr<Row>> m_rows;
  std::vector<BatchCopy> m_copies;
};

}  // namespace stagelane::run
