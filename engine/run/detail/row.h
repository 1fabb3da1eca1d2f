#pragma once

/// One device row of a step: the stages it holds, and how it carries out each action of the lowered
/// list. Lives in its worker's thread; other rows reach it only through the exchange.

#include <ATen/core/Tensor.h>

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "engine/run/detail/exchange.h"
#include "engine/run/detail/optimizer.h"
#include "engine/run/detail/run_control.h"
#include "engine/run/detail/step.h"
#include "engine/run/detail/tensors.h"
#include "profiler/trace/recorder.h"

namespace stagelane::run {

class Row {
 public:
  /// `plan` outlives the row.
  Row(const StepPlan& plan, int row);

  /// Makes the stages' tensors. May throw. @thread the row's worker
  void build(const InitialValues& values);
  /// Plays the row's actions, to their end or until `control` stops. May throw; `current()` then
  /// says at which action. @thread the row's worker
  [[nodiscard]] Status play(const StepInput& input, const StepTag& tag, Exchange& exchange,
                            RunControl& control);
  /// Forgets the actions under way (after a failed step). @thread the row's worker
  void drop();

  /// The action being played, null outside a step.
  [[nodiscard]] const schedule::LoweredAction* current() const { return m_current; }
  /// Losses of the last step by micro-batch, one for a whole-batch loss; empty without the last
  /// stage.
  [[nodiscard]] const std::vector<at::Tensor>& losses() const { return m_losses; }
  [[nodiscard]] const std::map<int, StageTensors>& stages() const { return m_stages; }

  /// Appends what was recorded since the last call. @pre the device was synchronised
  void collect(std::vector<trace::ActionRecord>& records);

 private:
  /// What one (stage, micro-batch) holds between its actions.
  struct Slot {
    std::vector<at::Tensor> received;         ///< boundary tensors, until F
    std::vector<at::Tensor> inputs;           ///< their leaves, from F to B
    std::vector<at::Tensor> outputs;          ///< from F to B
    std::vector<at::Tensor> outputGradients;  ///< until B
    std::vector<at::Tensor> inputGradients;   ///< from B until sent
    at::Tensor loss;                          ///< from LOSS to B
  };
  /// An action's time, before the device's clock can be read.
  struct Timing {
    schedule::LoweredAction action;
    std::shared_ptr<Marker> start, end;
    Bytes bytes = 0;
    StepTag tag;
  };
  /// What a transfer tells about itself.
  struct Moved {
    std::shared_ptr<Marker> start, end;
    Bytes bytes = 0;
  };

  [[nodiscard]] Slot& slot(const schedule::LoweredAction& action);
  [[nodiscard]] Slot& slot(int stage, int microBatch);
  [[nodiscard]] bool holds(int stage) const;

  void compute(const schedule::LoweredAction& action, const StepInput& input, const StepTag& tag);
  void forward(const schedule::LoweredAction& action, const StepInput& input);
  void loss(const schedule::LoweredAction& action, const StepInput& input);
  void wholeBatchLoss(const StepInput& input);
  void backward(const schedule::LoweredAction& action);
  void optimize(const schedule::LoweredAction& action, const StepTag& tag);
  [[nodiscard]] Moved send(const schedule::LoweredAction& action, Exchange& exchange);
  /// Nothing when the run stopped meanwhile.
  [[nodiscard]] Result<std::optional<Moved>> receive(const schedule::LoweredAction& action,
                                                     Exchange& exchange, RunControl& control);
  [[nodiscard]] Result<bool> playOne(const schedule::LoweredAction& action, const StepInput& input,
                                     const StepTag& tag, Exchange& exchange, RunControl& control);

  const StepPlan& m_plan;
  int m_row;
  std::map<int, StageTensors> m_stages;  ///< by stage
  std::map<int, Sgd> m_optimizers;       ///< by stage
  std::vector<Slot> m_slots;             ///< stage × micro-batch
  std::vector<at::Tensor> m_losses;
  std::vector<Timing> m_timings;
  const schedule::LoweredAction* m_current = nullptr;
};

}  // namespace stagelane::run
