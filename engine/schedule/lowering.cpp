#include "engine/schedule/lowering.h"

namespace stagelane::schedule {
namespace {

/// Lowers one schedule; rows are independent of each other, since a receive stands right before
/// the action that needs it and a send right after the one that produced it.
class Lowering {
 public:
  explicit Lowering(const Schedule& schedule) : m_schedule(schedule) {}
  LoweredSchedule run();

 private:
  void lowerRow(std::size_t row);
  void lowerAction(const Action& action);
  void add(ActionKind kind, const Action& of, int peer = -1) {
    m_row->push_back({kind, of.stage, of.microBatch, peer});
  }
  void afterForward(const Action& action);
  [[nodiscard]] int rowOf(std::int32_t stage) const {
    return m_schedule.deviceOfStage[static_cast<std::size_t>(stage)];
  }
  /// The row of the neighbouring stage, -1 when there is none or it is this one.
  [[nodiscard]] int peerOf(StageId stage, int offset) const {
    const std::int32_t other = stage.value + offset;
    if (other < 0 || other >= m_schedule.stages) return -1;
    return rowOf(other) == rowOf(stage.value) ? -1 : rowOf(other);
  }

  const Schedule& m_schedule;
  std::vector<LoweredAction>* m_row = nullptr;
  int m_lastStageForwards = 0;
};

void Lowering::afterForward(const Action& action) {
  if (const int peer = peerOf(action.stage, 1); peer >= 0) {
    add(ActionKind::SendForward, action, peer);
  }
  if (action.stage.value != m_schedule.stages - 1) return;
  ++m_lastStageForwards;
  if (m_schedule.lossMode == LossMode::PerMicroBatch) {
    add(ActionKind::Loss, action);
  } else if (m_lastStageForwards == m_schedule.microBatches) {
    m_row->push_back({ActionKind::Loss, action.stage, MicroBatchId{}, -1});
  }
}

void Lowering::lowerAction(const Action& action) {
  if (action.kind == ActionKind::Forward) {
    if (const int peer = peerOf(action.stage, -1); peer >= 0) {
      add(ActionKind::RecvForward, action, peer);
    }
    add(action.kind, action);
    afterForward(action);
    return;
  }
  const bool makesInputGradient =
      action.kind == ActionKind::Backward || action.kind == ActionKind::BackwardInput;
  if (const int peer = peerOf(action.stage, 1); makesInputGradient && peer >= 0) {
    add(ActionKind::RecvBackward, action, peer);
  }
  add(action.kind, action);
  if (const int peer = peerOf(action.stage, -1); makesInputGradient && peer >= 0) {
    add(ActionKind::SendBackward, action, peer);
  }
}

void Lowering::lowerRow(std::size_t row) {
  for (const Action& action : m_schedule.actions[row]) lowerAction(action);
  for (int stage = 0; stage < m_schedule.stages; ++stage) {
    if (rowOf(stage) != static_cast<int>(row)) continue;
    m_row->push_back({ActionKind::Optimizer, StageId{stage}, MicroBatchId{}, -1});
  }
}

LoweredSchedule Lowering::run() {
  LoweredSchedule lowered;
  lowered.source = m_schedule;
  lowered.actions.resize(m_schedule.actions.size());
  for (std::size_t row = 0; row < m_schedule.actions.size(); ++row) {
    m_row = &lowered.actions[row];
    m_row->reserve(3 * m_schedule.actions[row].size() + 2);
    lowerRow(row);
    lowered.actionCount += m_row->size();
  }
  return lowered;
}

}  // namespace

LoweredSchedule lower(const Schedule& schedule, const TiedStages& tied) {
  LoweredSchedule lowered = Lowering(schedule).run();
  lowered.tied = tied;
  return lowered;
}

}  // namespace stagelane::schedule
