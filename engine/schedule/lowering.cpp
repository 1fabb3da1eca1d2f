#include "engine/schedule/lowering.h"

#include <algorithm>
#include <utility>

namespace stagelane::schedule {
namespace {

/// Lowers one schedule. Rows are independent of each other, because a receive comes right before
/// the action that needs it and a send right after the one that produces it.
class Lowering {
 public:
  explicit Lowering(LoweredSchedule& lowered) : m_lowered(lowered), m_schedule(lowered.source) {}
  void run();

 private:
  void lowerRow(std::size_t row);
  void finishRow(std::size_t row);
  void lowerAction(const Action& action);
  void add(ActionKind kind, const Action& of, int peer = -1) {
    m_row->push_back({kind, of.stage, of.microBatch, peer});
  }
  void afterForward(const Action& action);
  /// The other row that runs the micro-batch in the neighboring stage, -1 if there is none.
  [[nodiscard]] int peerOf(const Action& action, int offset) const {
    const std::int32_t other = action.stage.value + offset;
    if (other < 0 || other >= m_schedule.stages) return -1;
    const int row = m_schedule.rows.of(other, action.microBatch.value);
    return row == m_rowNumber ? -1 : row;
  }

  LoweredSchedule& m_lowered;
  const Schedule& m_schedule;
  std::vector<LoweredAction>* m_row = nullptr;  ///< the row that is lowered
  int m_rowNumber = 0;
  int m_lastStageForwards = 0;
};

void Lowering::afterForward(const Action& action) {
  if (const int peer = peerOf(action, 1); peer >= 0) add(ActionKind::SendForward, action, peer);
  if (action.stage.value != m_schedule.stages - 1) return;
  ++m_lastStageForwards;
  if (m_schedule.lossMode == LossMode::None) return;
  if (m_schedule.lossMode == LossMode::PerMicroBatch) {
    add(ActionKind::Loss, action);
  } else if (m_lastStageForwards == m_schedule.microBatches) {
    m_row->push_back({ActionKind::Loss, action.stage, MicroBatchId{}, -1});
  }
}

void Lowering::lowerAction(const Action& action) {
  if (action.kind == ActionKind::Forward) {
    if (const int peer = peerOf(action, -1); peer >= 0) add(ActionKind::RecvForward, action, peer);
    add(action.kind, action);
    afterForward(action);
    return;
  }
  const bool makesInputGradient =
      action.kind == ActionKind::Backward || action.kind == ActionKind::BackwardInput;
  if (const int peer = peerOf(action, 1); makesInputGradient && peer >= 0) {
    add(ActionKind::RecvBackward, action, peer);
  }
  add(action.kind, action);
  if (const int peer = peerOf(action, -1); makesInputGradient && peer >= 0) {
    add(ActionKind::SendBackward, action, peer);
  }
}

void Lowering::lowerRow(std::size_t row) {
  for (const Action& action : m_schedule.actions[row]) lowerAction(action);
  if (m_schedule.lossMode != LossMode::None) finishRow(row);
}

/// Sums the gradients of tied stages and of replicas before any stage of the row is updated.
void Lowering::finishRow(std::size_t row) {
  const auto addForStages = [&](ActionKind kind, const std::vector<int>& stages) {
    for (const int stage : stages) m_row->push_back({kind, StageId{stage}, MicroBatchId{}, -1});
  };
  std::vector<int> stages;
  std::vector<int> reduced;
  for (int stage = 0; stage < m_schedule.stages; ++stage) {
    if (m_schedule.rows.replicaOn(stage, static_cast<int>(row)) < 0) continue;
    stages.push_back(stage);
    if (isReduced(m_lowered, stage)) reduced.push_back(stage);
  }
  addForStages(ActionKind::Reduce, reduced);
  addForStages(ActionKind::Optimizer, stages);
}

void Lowering::run() {
  m_lowered.actions.resize(m_schedule.actions.size());
  for (std::size_t row = 0; row < m_schedule.actions.size(); ++row) {
    m_row = &m_lowered.actions[row];
    m_rowNumber = static_cast<int>(row);
    m_row->reserve(3 * m_schedule.actions[row].size() + 2);
    lowerRow(row);
    m_lowered.actionCount += m_row->size();
  }
}

}  // namespace

bool isTied(const TiedStages& tied, int stage) {
  return std::any_of(tied.begin(), tied.end(), [stage](const std::vector<int>& group) {
    return std::find(group.begin(), group.end(), stage) != group.end();
  });
}

bool isReduced(const LoweredSchedule& lowered, int stage) {
  return lowered.source.rows.replicas(stage) > 1 || isTied(lowered.tied, stage);
}

LoweredSchedule lower(Schedule schedule, const TiedStages& tied) {
  LoweredSchedule lowered;
  lowered.source = std::move(schedule);
  lowered.tied = tied;
  Lowering(lowered).run();
  return lowered;
}

}  // namespace stagelane::schedule
