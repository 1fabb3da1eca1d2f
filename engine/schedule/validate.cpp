#include <algorithm>
#include <string>

#include "engine/schedule/lowering.h"
#include "engine/schedule/progress.h"

namespace stagelane::schedule {
namespace {

constexpr std::size_t kActionKinds = 11;
constexpr std::size_t kOncePerCopy = 3;  // LOSS of the whole batch, REDUCE, OPT

bool isForwardPart(ActionKind kind) {
  return kind == ActionKind::Forward || kind == ActionKind::SendForward ||
         kind == ActionKind::RecvForward;
}

/// Goes through the rows and records the actions seen. Its checks return false, and keep the first
/// problem, where the list is not valid: a Status for each action would cost more than the check.
class Validation {
 public:
  explicit Validation(const LoweredSchedule& lowered)
      : m_lowered(lowered),
        m_schedule(lowered.source),
        m_perKind(static_cast<std::size_t>(m_schedule.stages) *
                  static_cast<std::size_t>(m_schedule.microBatches)),
        m_seen(kActionKinds * m_perKind),
        m_seenOnce(kOncePerCopy * static_cast<std::size_t>(m_schedule.rows.copies())) {}

  [[nodiscard]] bool checkEach();
  [[nodiscard]] bool checkComplete();
  [[nodiscard]] bool checkOrders();
  /// Of the check that returned false.
  [[nodiscard]] const Status& problem() const { return m_problem; }

 private:
  bool unsound(std::size_t row, const LoweredAction& action, std::string_view what) {
    m_problem = detail::unsound(row, action, what);
    return false;
  }
  /// The mark of an action. Actions without a micro-batch, one for each copy of the stage, have a
  /// separate list.
  [[nodiscard]] std::vector<bool>::reference mark(std::size_t row, const LoweredAction& action) {
    if (!action.microBatch.valid()) return seenOnce(action.kind, action.stage.value, row);
    return seen(action.kind, action.stage.value, action.microBatch.value);
  }
  [[nodiscard]] std::vector<bool>::reference seenOnce(ActionKind kind, std::int32_t stage,
                                                      std::size_t row) {
    const std::size_t offset = kind == ActionKind::Loss ? 0 : kind == ActionKind::Reduce ? 1 : 2;
    const int copy = m_schedule.rows.copyOn(stage, static_cast<int>(row));
    return m_seenOnce[kOncePerCopy * static_cast<std::size_t>(copy) + offset];
  }
  [[nodiscard]] std::vector<bool>::reference seen(ActionKind kind, std::int32_t stage,
                                                  std::int32_t microBatch) {
    return m_seen[static_cast<std::size_t>(kind) * m_perKind +
                  static_cast<std::size_t>(stage) *
                      static_cast<std::size_t>(m_schedule.microBatches) +
                  static_cast<std::size_t>(microBatch)];
  }
  [[nodiscard]] int rowOf(std::int32_t stage, std::int32_t microBatch) const {
    return m_schedule.rows.of(stage, microBatch);
  }
  /// Whether the tensor of a micro-batch moves between this row and another stage's.
  [[nodiscard]] bool crosses(std::size_t row, std::int32_t other, std::int32_t microBatch) const {
    return rowOf(other, microBatch) != static_cast<int>(row);
  }
  /// The row that a transfer's other end must have, -1 if there must be none.
  [[nodiscard]] int peerOf(std::size_t row, const LoweredAction& action) const;
  [[nodiscard]] bool checkNumbers(std::size_t row, const LoweredAction& action);
  [[nodiscard]] bool checkOrder(std::size_t row, const LoweredAction& action);
  [[nodiscard]] bool require(std::size_t row, const LoweredAction& action, ActionKind earlier);
  [[nodiscard]] bool requireAll(std::size_t row, const LoweredAction& action, bool weights);
  [[nodiscard]] bool checkReduce(std::size_t row, const LoweredAction& action);
  [[nodiscard]] bool checkOptimizer(std::size_t row, const LoweredAction& action);
  [[nodiscard]] bool complete(std::int32_t stage, std::int32_t microBatch);
  [[nodiscard]] bool completeOnce(std::int32_t stage, int row);
  [[nodiscard]] bool completeForward(std::int32_t stage, std::int32_t microBatch);

  const LoweredSchedule& m_lowered;
  const Schedule& m_schedule;
  Status m_problem;
  std::size_t m_perKind;  ///< stages × micro-batches
  std::vector<bool> m_seen;
  std::vector<bool> m_seenOnce;
};

int Validation::peerOf(std::size_t row, const LoweredAction& action) const {
  const bool next =
      action.kind == ActionKind::SendForward || action.kind == ActionKind::RecvBackward;
  const std::int32_t other = action.stage.value + (next ? 1 : -1);
  if (!isTransfer(action.kind) || other < 0 || other >= m_schedule.stages) return -1;
  const int peer = rowOf(other, action.microBatch.value);
  return peer == static_cast<int>(row) ? -1 : peer;
}

bool Validation::checkNumbers(std::size_t row, const LoweredAction& action) {
  const std::int32_t stage = action.stage.value;
  const std::int32_t microBatch = action.microBatch.value;
  if (stage < 0 || stage >= m_schedule.stages) {
    return unsound(row, action, "refers to a stage that the schedule does not have");
  }
  const bool whole =
      action.kind == ActionKind::Optimizer || action.kind == ActionKind::Reduce ||
      (action.kind == ActionKind::Loss && m_schedule.lossMode == LossMode::WholeBatch);
  if (whole ? microBatch != -1 : (microBatch < 0 || microBatch >= m_schedule.microBatches)) {
    return unsound(row, action, "refers to a micro-batch that the schedule does not have");
  }
  if (m_schedule.lossMode == LossMode::None && !isForwardPart(action.kind)) {
    return unsound(row, action, "is not allowed in a forward-only schedule");
  }
  if (action.kind == ActionKind::Reduce && !isReduced(m_lowered, stage)) {
    return unsound(row, action,
                   "belongs to a stage that has neither replicas nor shared parameters");
  }
  const bool placed = whole ? m_schedule.rows.replicaOn(stage, static_cast<int>(row)) >= 0
                            : rowOf(stage, microBatch) == static_cast<int>(row);
  if (!placed) {
    return unsound(row, action,
                   "belongs on row " + std::to_string(rowOf(stage, std::max(0, microBatch))));
  }
  if (action.kind == ActionKind::Loss && stage != m_schedule.stages - 1) {
    return unsound(row, action, "is not on the last stage");
  }
  const int peer = peerOf(row, action);
  if (action.peer != peer || (isTransfer(action.kind) && peer < 0)) {
    return unsound(
        row, action,
        "has row " + std::to_string(action.peer) + " as its peer, not " + std::to_string(peer));
  }
  return true;
}

bool Validation::require(std::size_t row, const LoweredAction& action, ActionKind earlier) {
  if (seen(earlier, action.stage.value, action.microBatch.value)) return true;
  return unsound(row, action,
                 "comes before its " + cell({earlier, action.stage, action.microBatch}));
}

/// Every forward (or every weight gradient) of the stage on this row must have been seen.
bool Validation::requireAll(std::size_t row, const LoweredAction& action, bool weights) {
  const std::int32_t s = action.stage.value;
  for (std::int32_t k = 0; k < m_schedule.microBatches; ++k) {
    if (rowOf(s, k) != static_cast<int>(row)) continue;
    const bool there =
        weights ? seen(ActionKind::Backward, s, k) || seen(ActionKind::BackwardWeight, s, k)
                : seen(ActionKind::Forward, s, k);
    if (there) continue;
    return unsound(row, action,
                   std::string("comes before the ") + (weights ? "weight gradient" : "forward") +
                       " of micro-batch " + std::to_string(k));
  }
  return true;
}

/// All weight gradients of the stage must precede the action, and no stage may be updated yet.
bool Validation::checkReduce(std::size_t row, const LoweredAction& action) {
  if (!requireAll(row, action, true)) return false;
  for (std::int32_t stage = 0; stage < m_schedule.stages; ++stage) {
    const bool here = m_schedule.rows.replicaOn(stage, static_cast<int>(row)) >= 0;
    if (here && seenOnce(ActionKind::Optimizer, stage, row))
      return unsound(row, action, "comes after an OPT of its device");
  }
  return true;
}

bool Validation::checkOptimizer(std::size_t row, const LoweredAction& action) {
  const std::int32_t stage = action.stage.value;
  if (isReduced(m_lowered, stage) && !seenOnce(ActionKind::Reduce, stage, row)) {
    return unsound(row, action, "comes before the REDUCE of its stage");
  }
  return requireAll(row, action, true);
}

bool Validation::checkOrder(std::size_t row, const LoweredAction& action) {
  const std::int32_t s = action.stage.value;
  const std::int32_t k = action.microBatch.value;
  const bool last = s == m_schedule.stages - 1;
  switch (action.kind) {
    case ActionKind::Forward:
      return s == 0 || !crosses(row, s - 1, k) || require(row, action, ActionKind::RecvForward);
    case ActionKind::Backward:
    case ActionKind::BackwardInput: {
      const bool isB = action.kind == ActionKind::Backward;
      const ActionKind other = isB ? ActionKind::BackwardInput : ActionKind::Backward;
      if (seen(other, s, k) || (isB && seen(ActionKind::BackwardWeight, s, k))) {
        return unsound(row, action, "repeats a completed backward");
      }
      if (!require(row, action, ActionKind::Forward)) return false;
      if (!last) return !crosses(row, s + 1, k) || require(row, action, ActionKind::RecvBackward);
      if (m_schedule.lossMode == LossMode::PerMicroBatch) {
        return require(row, action, ActionKind::Loss);
      }
      return seenOnce(ActionKind::Loss, s, row) || unsound(row, action, "comes before the LOSS");
    }
    case ActionKind::BackwardWeight: return require(row, action, ActionKind::BackwardInput);
    case ActionKind::Loss:
      return k < 0 ? requireAll(row, action, false) : require(row, action, ActionKind::Forward);
    case ActionKind::SendForward: return require(row, action, ActionKind::Forward);
    case ActionKind::SendBackward:
      return seen(ActionKind::BackwardInput, s, k) || require(row, action, ActionKind::Backward);
    case ActionKind::Reduce: return checkReduce(row, action);
    case ActionKind::Optimizer: return checkOptimizer(row, action);
    default: return true;
  }
}

/// Checks each action by itself: on its row, once, with valid numbers. Transfers come last, so that
/// a duplicated action is reported rather than the transfer added by lowering.
bool Validation::checkEach() {
  const std::size_t rows = m_lowered.actions.size();
  std::size_t count = 0;
  for (std::size_t pass = 0; pass < 2 * rows; ++pass) {
    const std::size_t row = pass % rows;
    for (const LoweredAction& action : m_lowered.actions[row]) {
      if (isTransfer(action.kind) != (pass >= rows)) continue;
      if (!checkNumbers(row, action)) return false;
      auto already = mark(row, action);
      if (already) return unsound(row, action, "appears twice");
      already = true;
      ++count;
    }
  }
  if (count == m_lowered.actionCount) return true;
  m_problem = fail(ErrorCode::Invalid, "the lowered schedule has " + std::to_string(count) +
                                           " actions, but declares " +
                                           std::to_string(m_lowered.actionCount));
  return false;
}

/// Checks that the actions needed on the same device come earlier in its row.
bool Validation::checkOrders() {
  std::fill(m_seen.begin(), m_seen.end(), false);
  std::fill(m_seenOnce.begin(), m_seenOnce.end(), false);
  for (std::size_t row = 0; row < m_lowered.actions.size(); ++row) {
    for (const LoweredAction& action : m_lowered.actions[row]) {
      if (!checkOrder(row, action)) return false;
      mark(row, action) = true;
    }
  }
  return true;
}

bool Validation::completeForward(std::int32_t stage, std::int32_t microBatch) {
  const auto row = static_cast<std::size_t>(rowOf(stage, microBatch));
  const auto needs = [&](ActionKind kind) {
    if (seen(kind, stage, microBatch)) return true;
    return unsound(row, {kind, StageId{stage}, MicroBatchId{microBatch}, -1}, "is missing");
  };
  const bool last = stage == m_schedule.stages - 1;
  return needs(ActionKind::Forward) &&
         (last || !crosses(row, stage + 1, microBatch) || needs(ActionKind::SendForward)) &&
         (stage == 0 || !crosses(row, stage - 1, microBatch) || needs(ActionKind::RecvForward));
}

bool Validation::complete(std::int32_t stage, std::int32_t microBatch) {
  if (!completeForward(stage, microBatch)) return false;
  if (m_schedule.lossMode == LossMode::None) return true;
  const auto row = static_cast<std::size_t>(rowOf(stage, microBatch));
  const auto absent = [&](ActionKind kind) {
    return unsound(row, {kind, StageId{stage}, MicroBatchId{microBatch}, -1}, "is missing");
  };
  const auto has = [&](ActionKind kind) { return seen(kind, stage, microBatch); };
  if (!has(ActionKind::Backward) && !has(ActionKind::BackwardInput)) {
    return absent(has(ActionKind::BackwardWeight) ? ActionKind::BackwardInput
                                                  : ActionKind::Backward);
  }
  if (has(ActionKind::BackwardInput) && !has(ActionKind::BackwardWeight)) {
    return absent(ActionKind::BackwardWeight);
  }
  const bool last = stage == m_schedule.stages - 1;
  if (!last && crosses(row, stage + 1, microBatch) && !has(ActionKind::RecvBackward)) {
    return absent(ActionKind::RecvBackward);
  }
  if (stage > 0 && crosses(row, stage - 1, microBatch) && !has(ActionKind::SendBackward)) {
    return absent(ActionKind::SendBackward);
  }
  if (last && m_schedule.lossMode == LossMode::PerMicroBatch && !has(ActionKind::Loss)) {
    return absent(ActionKind::Loss);
  }
  return true;
}

/// What each copy of the stage does once in a step.
bool Validation::completeOnce(std::int32_t stage, int row) {
  const auto at = static_cast<std::size_t>(row);
  const bool wholeLoss =
      stage == m_schedule.stages - 1 && m_schedule.lossMode == LossMode::WholeBatch;
  const auto lacks = [&](ActionKind kind) { return !seenOnce(kind, stage, at); };
  const auto absent = [&](ActionKind kind) {
    return unsound(at, {kind, StageId{stage}, MicroBatchId{}, -1}, "is missing");
  };
  if (lacks(ActionKind::Optimizer)) return absent(ActionKind::Optimizer);
  if (wholeLoss && lacks(ActionKind::Loss)) return absent(ActionKind::Loss);
  if (isReduced(m_lowered, stage) && lacks(ActionKind::Reduce)) return absent(ActionKind::Reduce);
  return true;
}

bool Validation::checkComplete() {
  for (std::int32_t stage = 0; stage < m_schedule.stages; ++stage) {
    for (std::int32_t k = 0; k < m_schedule.microBatches; ++k) {
      if (!complete(stage, k)) return false;
    }
    if (m_schedule.lossMode == LossMode::None) continue;
    for (int replica = 0; replica < m_schedule.rows.replicas(stage); ++replica) {
      if (!completeOnce(stage, m_schedule.rows.row(stage, replica))) return false;
    }
  }
  return true;
}

/// Replicas of a stage are on rows of their own, and each has something to do.
Status checkReplicas(const Schedule& schedule, int stage) {
  const std::string name = "stage " + std::to_string(stage);
  const int replicas = schedule.rows.replicas(stage);
  for (int replica = 0; replica < replicas; ++replica) {
    const int row = schedule.rows.row(stage, replica);
    if (row < 0 || row >= schedule.devices) {
      return fail(ErrorCode::Invalid,
                  name + " is on row " + std::to_string(row) + ", which does not exist");
    }
    if (schedule.rows.replicaOn(stage, row) != replica) {
      return fail(ErrorCode::Invalid, name + " is twice on row " + std::to_string(row));
    }
  }
  if (replicas > schedule.microBatches) {
    return fail(ErrorCode::Invalid, name + " has " + std::to_string(replicas) +
                                        " replicas, more than there are micro-batches (" +
                                        std::to_string(schedule.microBatches) + ")");
  }
  const bool last = stage == schedule.stages - 1;
  if (last && replicas > 1 && schedule.lossMode == LossMode::WholeBatch) {
    return fail(ErrorCode::Invalid,
                name + " has several replicas, and one LOSS for the whole batch needs one device");
  }
  return {};
}

Status checkHead(const LoweredSchedule& lowered) {
  const Schedule& schedule = lowered.source;
  const bool sizes = schedule.stages >= 1 && schedule.microBatches >= 1 && schedule.devices >= 1 &&
                     lowered.actions.size() == static_cast<std::size_t>(schedule.devices) &&
                     schedule.rows.stages() == schedule.stages;
  if (!sizes) {
    return fail(ErrorCode::Invalid, "the schedule declares " + std::to_string(schedule.stages) +
                                        " stages, " + std::to_string(schedule.devices) +
                                        " devices and " + std::to_string(schedule.microBatches) +
                                        " micro-batches, which does not match its rows");
  }
  for (int stage = 0; stage < schedule.stages; ++stage) {
    STAGELANE_CHECK(checkReplicas(schedule, stage));
  }
  for (const std::vector<int>& group : lowered.tied) {
    const bool known = std::all_of(group.begin(), group.end(), [&](int stage) {
      return stage >= 0 && stage < schedule.stages;
    });
    if (known && group.size() > 1 &&
        std::adjacent_find(group.begin(), group.end(), std::greater_equal<>()) == group.end()) {
      continue;
    }
    return fail(ErrorCode::Invalid,
                "stages that share a parameter must be listed once each, ascending, at least two");
  }
  return {};
}

}  // namespace

Status validate(const LoweredSchedule& lowered, std::optional<int> channelCapacity) {
  STAGELANE_CHECK(checkHead(lowered));
  if (channelCapacity && *channelCapacity < 1) {
    return fail(ErrorCode::Invalid,
                "a channel must hold at least one tensor, not " + std::to_string(*channelCapacity));
  }
  Validation validation(lowered);
  if (!validation.checkEach() || !validation.checkComplete() || !validation.checkOrders()) {
    return validation.problem();
  }
  return detail::checkProgress(lowered, channelCapacity);
}

}  // namespace stagelane::schedule
