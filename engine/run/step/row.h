#pragma once

/// One device row of a step: plays the row's lowered list in order and records the time of each
/// action. The actions are implemented in stage_work.h and transfer.h. Lives in its worker's
/// thread; other rows communicate with it only through the exchange.

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "engine/run/step/clip.h"
#include "engine/run/step/exchange.h"
#include "engine/run/step/queued_actions.h"
#include "engine/run/step/reduced_gradients.h"
#include "engine/run/step/run_control.h"
#include "engine/run/step/slots.h"
#include "engine/run/step/stage_work.h"
#include "engine/run/step/stall.h"
#include "engine/run/step/transfer.h"
#include "engine/trace/recorder.h"

namespace stagelane::run {

/// Objects shared by the rows of an executor.
struct Meeting {
  Exchange& exchange;
  NormBoard& norms;
};

class Row {
 public:
  /// `plan` outlives the row.
  Row(const StepPlan& plan, int row);

  /// Creates the stages' tensors. May throw. @thread the row's worker
  void build(const InitialValues& values);
  /// Plays the row's actions to the end or until `control` stops. May throw; `activity()` then
  /// returns the failed action. @thread the row's worker
  void play(const StepInput& input, const StepTag& tag, Meeting meeting, RunControl& control);
  /// Discards the actions in progress (after a failed step). @thread the row's worker
  void drop();

  [[nodiscard]] int number() const { return m_row; }
  /// The action that the row's thread plays; none outside a step. @thread any
  [[nodiscard]] RowActivity activity() const {
    return {m_current.load(), m_sinceNs.load(), m_step.load(), false};
  }
  /// The oldest action that the device has queued and not ended; without one, that of the row's
  /// thread. @thread any
  [[nodiscard]] RowActivity oldestActivity() const {
    return m_queued.oldest().value_or(activity());
  }
  /// Tells `control` which queued actions the device has ended, and fails it with the device's
  /// error if that has one. @thread the executor's
  void watch(RunControl& control);
  /// Whether the device has queued actions that had not ended when it was last asked. @thread any
  [[nodiscard]] bool hasQueued() const { return !m_queued.empty(); }
  /// The device has ended all queued actions. @pre no step plays
  void synchronized() { m_queued.clear(); }
  /// Losses of the last step by micro-batch (undefined where another replica computed it), one for
  /// a whole-batch loss; empty without the last stage.
  [[nodiscard]] const std::vector<at::Tensor>& losses() const { return m_loss.losses(); }
  /// Inference: outputs of this row's micro-batches of the last step, if its tag kept them and the
  /// last stage is on this row.
  [[nodiscard]] const std::map<int, at::Tensor>& outputs() const { return m_outputs; }
  /// Most (stage, micro-batch) pairs between F and B (W) at once, since the row was created.
  [[nodiscard]] int peakLiveMicroBatches() const { return m_peakLive; }
  /// By stage.
  [[nodiscard]] const std::map<int, StageWork>& stages() const { return m_stages; }
  /// Of the last step, if the plan keeps them.
  [[nodiscard]] const std::vector<MicroBatchSizes>& sizes() const { return m_sizes; }

  /// Appends the all-reduces since the last call. @pre no step plays
  void collectBuckets(std::vector<BatchCopy>& copies);
  /// Appends the records since the last call. @pre the device was synchronized
  void collect(std::vector<trace::ActionRecord>& records);

 private:
  /// Times of an action, before the device's clock can be read.
  struct Timing {
    schedule::LoweredAction action;
    std::shared_ptr<Marker> start, end;
    Bytes bytes = 0;
    StepTag tag;
    Bytes liveBytes = -1;  ///< after a computation
  };

  [[nodiscard]] bool holds(int stage) const { return m_plan.holds(m_row, stage); }
  void compute(const schedule::LoweredAction& action, const StepInput& input, const StepTag& tag,
               Exchange& exchange);
  void forward(const schedule::LoweredAction& action, const StepInput& input, const StepTag& tag);
  /// Inference: frees a micro-batch at the end of its stage.
  void finishForward(const schedule::LoweredAction& action, const StepTag& tag);
  void loss(const schedule::LoweredAction& action, const StepInput& input);
  void backward(const schedule::LoweredAction& action, Exchange& exchange);
  /// Takes note of when the last backward of a stage had computed all its gradients: what follows
  /// in it is REDUCE.
  void noteBuckets(const schedule::LoweredAction& action, Timing& timing);
  [[nodiscard]] bool clipsBefore(const schedule::LoweredAction& action) const;
  /// The next three return empty or false if the run stopped. Scales the gradients of all the row's
  /// stages, once the norms of all rows are known.
  [[nodiscard]] bool clip(const StepTag& tag, NormBoard& norms, const RunControl& control);
  [[nodiscard]] std::optional<Moved> move(const schedule::LoweredAction& action, Exchange& exchange,
                                          const RunControl& control);
  [[nodiscard]] bool playOne(const schedule::LoweredAction& action, const StepInput& input,
                             const StepTag& tag, Exchange& exchange, RunControl& control);
  [[nodiscard]] Backend& backend() const {
    return m_plan.workers[static_cast<std::size_t>(m_row)]->backend();
  }

  const StepPlan& m_plan;
  int m_row;
  bool m_queues;                      ///< the device runs after the calls return
  std::map<int, StageWork> m_stages;  ///< by stage
  Slots m_slots;
  LossWork m_loss;
  Transfer m_transfer;
  ReducedGradients m_reduced;
  int m_peakLive = 0;
  bool m_clipped = false;  ///< in this step
  std::map<int, at::Tensor> m_outputs;
  std::vector<MicroBatchSizes> m_sizes;
  std::vector<Timing> m_timings;
  std::vector<BatchCopy> m_buckets;
  std::atomic<const schedule::LoweredAction*> m_current{nullptr};
  std::atomic<TimeNs> m_sinceNs{0};     ///< when m_current began
  std::atomic<std::int64_t> m_step{0};  ///< counts steps
  QueuedActions m_queued;
};

}  // namespace stagelane::run
