#include <algorithm>
#include <string>

#include "engine/schedule/lowering.h"
#include "engine/schedule/progress.h"

namespace stagelane::schedule {
namespace {

constexpr std::size_t kActionKinds = 11;
constexpr std::size_t kOncePerCopy = 3;  // LOSS of the whole batch, REDUCE, OPT

using detail::unsound;

bool isForwardPart(ActionKind kind) {
  return kind == ActionKind::Forward || kind == ActionKind::SendForward ||
         kind == ActionKind::RecvForward;
}

/// Goes through the rows and records the actions seen.
class Validation {
 public:
  explicit Validation(const LoweredSchedule& lowered)
      : m_lowered(lowered),
        m_schedule(lowered.source),
        m_seen(kActionKinds * perKind()),
        m_seenOnce(kOncePerCopy * static_cast<std::size_t>(m_schedule.rows.copies())) {}

  Status checkEach();
  Status checkComplete();
  Status checkOrders();

 private:
  [[nodiscard]] std::size_t perKind() const {
    return static_cast<std::size_t>(m_schedule.stages) *
           static_cast<std::size_t>(m_schedule.microBatches);
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
    return m_seen[static_cast<std::size_t>(kind) * perKind() +
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
  [[nodiscard]] Status checkNumbers(std::size_t row, const LoweredAction& action) const;
  [[nodiscard]] Status checkOrder(std::size_t row, const LoweredAction& action);
  [[nodiscard]] Status require(std::size_t row, const LoweredAction& action, ActionKind earlier);
  [[nodiscard]] Status requireAll(std::size_t row, const LoweredAction& action, bool weights);
  [[nodiscard]] Status checkReduce(std::size_t row, const LoweredAction& action);
  [[nodiscard]] Status checkOptimizer(std::size_t row, const LoweredAction& action);
  [[nodiscard]] Status complete(std::int32_t stage, std::int32_t microBatch);
  [[nodiscard]] Status completeOnce(std::int32_t stage, int row);
  [[nodiscard]] Status completeForward(std::int32_t stage, std::int32_t microBatch);

  const LoweredSchedule& m_lowered;
  const Schedule& m_schedule;
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

Status Validation::checkNumbers(std::size_t row, const LoweredAction& action) const {
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
  return {};
}

Status Validation::require(std::size_t row, const LoweredAction& action, ActionKind earlier) {
  if (seen(earlier, action.stage.value, action.microBatch.value)) return {};
  return unsound(row, action,
                 "comes before its " + cell({earlier, action.stage, action.microBatch}));
}

/// Every forward (or every weight gradient) of the stage on this row must have been seen.
Status Validation::requireAll(std::size_t row, const LoweredAction& action, bool weights) {
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
  return {};
}

/// All weight gradients of the stage must precede the action, and no stage may be updated yet.
Status Validation::checkReduce(std::size_t row, const LoweredAction& action) {
  STAGELANE_CHECK(requireAll(row, action, true));
  for (std::int32_t stage = 0; stage < m_schedule.stages; ++stage) {
    const bool here = m_schedule.rows.replicaOn(stage, static_cast<int>(row)) >= 0;
    if (here && seenOnce(ActionKind::Optimizer, stage, row))
      return unsound(row, action, "comes after an OPT of its device");
  }
  return {};
}

Status Validation::checkOptimizer(std::size_t row, const LoweredAction& action) {
  const std::int32_t stage = action.stage.value;
  if (isReduced(m_lowered, stage) && !seenOnce(ActionKind::Reduce, stage, row)) {
    return unsound(row, action, "comes before the REDUCE of its stage");
  }
  return requireAll(row, action, true);
}

Status Validation::checkOrder(std::size_t row, const LoweredAction& action) {
  const std::int32_t s = action.stage.value;
  const std::int32_t k = action.microBatch.value;
  const bool last = s == m_schedule.stages - 1;
  switch (action.kind) {
    case ActionKind::Forward:
      return s > 0 && crosses(row, s - 1, k) ? require(row, action, ActionKind::RecvForward)
                                             : Status{};
    case ActionKind::Backward:
    case ActionKind::BackwardInput: {
      const bool isB = action.kind == ActionKind::Backward;
      const ActionKind other = isB ? ActionKind::BackwardInput : ActionKind::Backward;
      if (seen(other, s, k) || (isB && seen(ActionKind::BackwardWeight, s, k))) {
        return unsound(row, action, "repeats a completed backward");
      }
      STAGELANE_CHECK(require(row, action, ActionKind::Forward));
      if (!last) {
        return crosses(row, s + 1, k) ? require(row, action, ActionKind::RecvBackward) : Status{};
      }
      if (m_schedule.lossMode == LossMode::PerMicroBatch) {
        return require(row, action, ActionKind::Loss);
      }
      return seenOnce(ActionKind::Loss, s, row) ? Status{}
                                                : unsound(row, action, "comes before the LOSS");
    }
    case ActionKind::BackwardWeight: return require(row, action, ActionKind::BackwardInput);
    case ActionKind::Loss:
      return k < 0 ? requireAll(row, action, false) : require(row, action, ActionKind::Forward);
    case ActionKind::SendForward: return require(row, action, ActionKind::Forward);
    case ActionKind::SendBackward:
      return seen(ActionKind::BackwardInput, s, k) ? Status{}
                                                   : require(row, action, ActionKind::Backward);
    case ActionKind::Reduce: return checkReduce(row, action);
    case ActionKind::Optimizer: return checkOptimizer(row, action);
    default: return {};
  }
}

/// Checks each action by itself: on its row, once, with valid numbers. Transfers come last, so that
/// a duplicated action is reported rather than the transfer added by lowering.
Status Validation::checkEach() {
  const std::size_t rows = m_lowered.actions.size();
  std::size_t count = 0;
  for (std::size_t pass = 0; pass < 2 * rows; ++pass) {
    const std::size_t row = pass % rows;
    for (const LoweredAction& action : m_lowered.actions[row]) {
      if (isTransfer(action.kind) != (pass >= rows)) continue;
      STAGELANE_CHECK(checkNumbers(row, action));
      auto already = mark(row, action);
      if (already) return unsound(row, action, "appears twice");
      already = true;
      ++count;
    }
  }
  if (count == m_lowered.actionCount) return {};
  return fail(ErrorCode::Invalid, "the lowered schedule has " + std::to_string(count) +
                                      " actions, but declares " +
                                      std::to_string(m_lowered.actionCount));
}

/// Checks that the actions needed on the same device come earlier in its row.
Status Validation::checkOrders() {
  std::fill(m_seen.begin(), m_seen.end(), false);
  std::fill(m_seenOnce.begin(), m_seenOnce.end(), false);
  for (std::size_t row = 0; row < m_lowered.actions.size(); ++row) {
    for (const LoweredAction& action : m_lowered.actions[row]) {
      STAGELANE_CHECK(checkOrder(row, action));
      mark(row, action) = true;
    }
  }
  return {};
}

Status Validation::completeForward(std::int32_t stage, std::int32_t microBatch) {
  const auto row = static_cast<std::size_t>(rowOf(stage, microBatch));
  const auto needs = [&](ActionKind kind) -> Status {
    if (seen(kind, stage, microBatch)) return {};
    return unsound(row, {kind, StageId{stage}, MicroBatchId{microBatch}, -1}, "is missing");
  };
  Status status = needs(ActionKind::Forward);
  if (status && stage < m_schedule.stages - 1 && crosses(row, stage + 1, microBatch)) {
    status = needs(ActionKind::SendForward);
  }
  if (status && stage > 0 && crosses(row, stage - 1, microBatch))
    status = needs(ActionKind::RecvForward);
  return status;
}

Status Validation::complete(std::int32_t stage, std::int32_t microBatch) {
  Status forward = completeForward(stage, microBatch);
  if (!forward || m_schedule.lossMode == LossMode::None) return forward;
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
  return {};
}

/// What each copy of the stage does once in a step.
Status Validation::completeOnce(std::int32_t stage, int row) {
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
  return {};
}

Status Validation::checkComplete() {
  for (std::int32_t stage = 0; stage < m_schedule.stages; ++stage) {
    for (std::int32_t k = 0; k < m_schedule.microBatches; ++k) STAGELANE_CHECK(complete(stage, k));
    if (m_schedule.lossMode == LossMode::None) continue;
    for (int replica = 0; replica < m_schedule.rows.replicas(stage); ++replica) {
      STAGELANE_CHECK(completeOnce(stage, m_schedule.rows.row(stage, replica)));
    }
  }
  return {};
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
  STAGELANE_CHECK(validation.checkEach());
  STAGELANE_CHECK(validation.checkComplete());
  STAGELANE_CHECK(validation.checkOrders());
  return detail::checkProgress(lowered, channelCapacity);
}

}  // namespace stagelane::schedule
