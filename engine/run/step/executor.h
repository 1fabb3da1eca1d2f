#pragma once

/// Plays the lowered schedule of one variant on its workers. Each row runs its own list in its own
/// thread and waits only for the tensors it needs; there is no barrier inside a step. The next step
/// starts when all rows have ended.

#include <atomic>
#include <future>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engine/base/json.h"
#include "engine/run/step/data.h"
#include "engine/run/step/row.h"

namespace stagelane::run {

class Executor {
 public:
  /// `control` and what `plan` points to outlive the executor.
  Executor(StepPlan plan, RunControl& control);
  /// Frees the tensors in their workers' threads.
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  /// Creates the stages' tensors, each in its worker's thread. @errors OutOfMemory, EngineFailure
  [[nodiscard]] Status build(const InitialValues& values);
  /// Copies a batch to the devices that need it, and splits it. @errors OutOfMemory, EngineFailure,
  /// also if a device does not end what it has queued before
  [[nodiscard]] Result<StepInput> prepare(const Batch& batch);

  enum class Outcome { Done, Stopped };
  /// Runs one training step; blocks until every row has ended. A GPU may then still have queued
  /// actions. Fails if no action ends within the stall limit. A thread that still does not return,
  /// or a device that does not end its queue, is abandoned, and its worker becomes unusable
  /// (Worker::abandoned).
  /// @errors of the first action that failed, naming device, action, stage and micro-batch
  [[nodiscard]] Result<Outcome> step(const StepInput& input, const StepTag& tag);
  /// Waits until every device has finished its queued work; fails and abandons as `step` does.
  /// @errors EngineFailure
  [[nodiscard]] Status synchronize();

  /// Losses of the last step: one per micro-batch, or one for the whole batch.
  [[nodiscard]] std::vector<at::Tensor> losses() const;
  /// Inference: outputs of the last step by micro-batch, if its tag kept them.
  [[nodiscard]] std::map<int, at::Tensor> outputs() const;
  /// Records since the last call. @pre synchronized
  [[nodiscard]] std::vector<trace::ActionRecord> takeRecords();
  [[nodiscard]] std::vector<BatchCopy> takeCopies();
  /// Of the micro-batches of the last step, if the plan keeps them.
  [[nodiscard]] std::vector<MicroBatchSizes> sizes() const;
  [[nodiscard]] const StepPlan& plan() const { return m_parts->plan; }
  [[nodiscard]] const Row& row(std::size_t index) const { return *m_parts->rows[index]; }

  void resetPeakBytes();
  [[nodiscard]] std::vector<Bytes> peakBytes() const;
  /// Per row, since it was built: maximum number of (stage, micro-batch) pairs between F and B (W).
  [[nodiscard]] std::vector<int> peakLiveMicroBatches() const;

 private:
  /// Objects that the rows' threads use. A thread that never returns keeps them.
  struct Parts {
    explicit Parts(StepPlan stepPlan);
    StepPlan plan;
    Exchange exchange;
    NormBoard norms;
    std::vector<std::unique_ptr<Row>> rows;
    std::atomic<bool> givenUp{false};  ///< threads no longer wait for their devices
  };
  using Outcomes = std::vector<std::pair<std::size_t, std::future<Status>>>;  ///< by row

  /// Whether this process plays the row.
  [[nodiscard]] bool isHere(std::size_t row) const;

  template <class Job>
  [[nodiscard]] Status onEveryRow(const Job& job);
  [[nodiscard]] static Status playRow(Parts& parts, std::size_t index, const StepInput& input,
                                      const StepTag& tag, RunControl& control);
  [[nodiscard]] Status playAll(const StepInput& input, const StepTag& tag);
  [[nodiscard]] static Status awaitDevice(Parts& parts, std::size_t index, RunControl& control);
  [[nodiscard]] Result<at::Tensor> copyTo(int row, const at::Tensor& tensor, const char* name);
  /// The micro-batches of `whole`, each on the device that runs it in the stage.
  [[nodiscard]] Result<std::vector<at::Tensor>> scatter(int stage, const at::Tensor& whole,
                                                        const std::vector<std::int64_t>& sizes,
                                                        const char* name);

  /// The jobs of the rows, by row. @returns the first error
  [[nodiscard]] Status awaitAll(Outcomes& outcomes);
  [[nodiscard]] Status await(std::future<Status>& outcome, std::size_t row);
  void beginWatch();
  void watch();
  void stopIfStalled();
  [[nodiscard]] static Json doing(const Parts& parts);
  [[nodiscard]] bool anyQueued() const;
  [[nodiscard]] bool graceEnded() const;
  void settle();
  void abandon(std::size_t row);

  std::shared_ptr<Parts> m_parts;
  RunControl& m_control;
  std::vector<BatchCopy> m_copies;
  bool m_stuck = false;               ///< a worker was abandoned
  TimeNs m_watchedNs = 0;             ///< last call of watch()
  std::optional<TimeNs> m_stoppedNs;  ///< when a failure or cancel was seen
};

}  // namespace stagelane::run
