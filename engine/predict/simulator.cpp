#include "engine/predict/simulator.h"

#include <algorithm>

#include "engine/schedule/dependencies.h"

namespace stagelane::predict {
namespace {

using schedule::LoweredAction;
using schedule::ResultKind;

constexpr TimeNs kNotYet = -1;

/// Plays each row as far as its waits allow, and comes back to it when the awaited result has a
/// time. Every link has one sending row, which fills it in its own order, so no queue of events is
/// needed: the times do not depend on the order in which rows are played.
class Player {
 public:
  Player(const schedule::LoweredSchedule& lowered, const PlanCosts& costs);
  Result<Simulation> run();

 private:
  void playRow(std::size_t row);
  [[nodiscard]] bool playNext(std::size_t row);
  void compute(std::size_t row, const LoweredAction& action, TimeNs ready, Played& played);
  void send(std::size_t row, const LoweredAction& action, TimeNs ready, Played& played);
  void receive(std::size_t row, const LoweredAction& action, Played& played);
  void hold(std::size_t row, const LoweredAction& action, const StageCost& cost);
  [[nodiscard]] TimeNs lossCost() const;
  void set(ResultKind kind, const LoweredAction& action, TimeNs time) {
    setAt(m_index.of(kind, action.stage.value, action.microBatch.value), time);
  }
  void setAt(std::size_t result, TimeNs time) {
    m_times[result] = time;
    if (m_waiting[result] < 0) return;
    m_ready.push_back(static_cast<std::size_t>(m_waiting[result]));
    m_waiting[result] = -1;
  }
  [[nodiscard]] const StageCost& costOf(const LoweredAction& action) const {
    const auto& row = m_costs.stage[static_cast<std::size_t>(action.stage.value)];
    return row[static_cast<std::size_t>(std::max(0, action.microBatch.value))];
  }

  const schedule::LoweredSchedule& m_lowered;
  const PlanCosts& m_costs;
  schedule::ResultIndex m_index;
  std::size_t m_rows;
  std::vector<TimeNs> m_times;          ///< per result, kNotYet until it is there
  std::vector<std::int32_t> m_waiting;  ///< per result: the row that waits for it
  std::vector<TimeNs> m_sentFrom;       ///< per (direction, stage, micro-batch): data ready
  std::vector<TimeNs> m_deviceFree;     ///< per row
  std::vector<TimeNs> m_linkFree;       ///< per (from row, to row)
  std::vector<std::size_t> m_next;      ///< per row
  std::vector<std::size_t> m_ready;     ///< rows to play
  std::vector<Bytes> m_heldBytes;       ///< per row
  std::vector<int> m_held;              ///< per row
  Simulation m_simulation;
};

Player::Player(const schedule::LoweredSchedule& lowered, const PlanCosts& costs)
    : m_lowered(lowered),
      m_costs(costs),
      m_index(lowered.source),
      m_rows(lowered.actions.size()),
      m_times(m_index.size(), kNotYet),
      m_waiting(m_index.size(), -1),
      m_sentFrom(m_index.size(), 0),
      m_deviceFree(m_rows, 0),
      m_linkFree(m_rows * m_rows, 0),
      m_next(m_rows, 0),
      m_heldBytes(m_rows, 0),
      m_held(m_rows, 0) {
  m_simulation.actions.resize(m_rows);
  m_simulation.busyNs.assign(m_rows, 0);
  m_simulation.peakLiveMicroBatches.assign(m_rows, 0);
  for (std::size_t row = 0; row < m_rows; ++row) {
    m_simulation.actions[row].resize(lowered.actions[row].size());
    m_heldBytes[row] = row < costs.residentBytes.size() ? costs.residentBytes[row] : 0;
    m_ready.push_back(m_rows - 1 - row);
  }
  m_simulation.peakBytes = m_heldBytes;
}

/// The one loss of a whole batch costs what the losses of its micro-batches cost.
TimeNs Player::lossCost() const {
  TimeNs sum = 0;
  for (const StageCost& cost : m_costs.stage.back()) sum += cost.loss;
  return sum;
}

/// Counts what a stage keeps of a micro-batch from its forward to its last backward half, and the
/// temporary bytes of the running action.
void Player::hold(std::size_t row, const LoweredAction& action, const StageCost& cost) {
  const bool isForward = action.kind == ActionKind::Forward;
  const bool isGradient =
      action.kind == ActionKind::Backward || action.kind == ActionKind::BackwardInput;
  if (isForward) {
    m_heldBytes[row] += cost.savedBytes;
    ++m_held[row];
  }
  if (isGradient) m_heldBytes[row] += cost.recomputedBytes;
  if (!isForward && !isGradient && action.kind != ActionKind::BackwardWeight) return;
  m_simulation.peakBytes[row] =
      std::max(m_simulation.peakBytes[row], m_heldBytes[row] + cost.temporaryBytes);
  m_simulation.peakLiveMicroBatches[row] =
      std::max(m_simulation.peakLiveMicroBatches[row], m_held[row]);
  if (action.kind == ActionKind::Backward || action.kind == ActionKind::BackwardWeight ||
      (isForward && m_costs.forwardOnly)) {
    m_heldBytes[row] -= cost.savedBytes + (isForward ? 0 : cost.recomputedBytes);
    --m_held[row];
  }
}

void Player::compute(std::size_t row, const LoweredAction& action, TimeNs ready, Played& played) {
  const StageCost& cost = costOf(action);
  TimeNs duration = 0;
  switch (action.kind) {
    case ActionKind::Forward: duration = cost.forward; break;
    case ActionKind::Backward: duration = cost.backward; break;
    case ActionKind::BackwardInput: duration = cost.backwardInput; break;
    case ActionKind::BackwardWeight: duration = cost.backwardWeight; break;
    case ActionKind::Loss: duration = action.microBatch.valid() ? cost.loss : lossCost(); break;
    default: duration = cost.optimizer; break;
  }
  played.start = std::max(ready, m_deviceFree[row]);
  played.end = played.start + duration;
  m_deviceFree[row] = played.end;
  m_simulation.busyNs[row] += duration;
  m_simulation.stepNs = std::max(m_simulation.stepNs, played.end);
  hold(row, action, cost);
  if (action.kind == ActionKind::Forward) {
    set(ResultKind::Output, action, played.end);
  } else if (action.kind == ActionKind::Backward || action.kind == ActionKind::BackwardInput) {
    set(ResultKind::InputGradient, action, played.end);
  } else if (action.kind == ActionKind::Loss && action.microBatch.valid()) {
    set(ResultKind::Loss, action, played.end);
  } else if (action.kind == ActionKind::Loss) {
    for (std::int32_t k = 0; k < m_lowered.source.microBatches; ++k) {
      setAt(m_index.of(ResultKind::Loss, action.stage.value, k), played.end);
    }
  }
}

void Player::send(std::size_t row, const LoweredAction& action, TimeNs ready, Played& played) {
  const StageCost& cost = costOf(action);
  const bool forward = action.kind == ActionKind::SendForward;
  const TimeNs duration = forward ? cost.sendForward : cost.sendBackward;
  TimeNs& link = m_linkFree[row * m_rows + static_cast<std::size_t>(action.peer)];
  played.start = std::max(ready, link);
  if (m_costs.transfersBlock) played.start = std::max(played.start, m_deviceFree[row]);
  played.end = played.start + duration;
  link = played.end;
  if (m_costs.transfersBlock) m_deviceFree[row] = played.end;
  const ResultKind kind = forward ? ResultKind::SentOutput : ResultKind::SentGradient;
  m_sentFrom[m_index.of(kind, action.stage.value, action.microBatch.value)] =
      m_costs.transfersBlock ? played.start : ready;
  set(kind, action, played.end);
}

/// A receive begins when the data is ready at the sender. Where copies block, the receiver is held
/// for as long as the sender was.
void Player::receive(std::size_t row, const LoweredAction& action, Played& played) {
  const bool forward = action.kind == ActionKind::RecvForward;
  const std::int32_t sender = action.stage.value + (forward ? -1 : 1);
  const std::size_t sent = m_index.of(forward ? ResultKind::SentOutput : ResultKind::SentGradient,
                                      sender, action.microBatch.value);
  played.start = m_sentFrom[sent];
  played.end = m_times[sent];
  if (m_costs.transfersBlock) {
    const TimeNs duration = played.end - played.start;
    played.start = std::max(played.start, m_deviceFree[row]);
    played.end = played.start + duration;
    m_deviceFree[row] = played.end;
  }
  set(forward ? ResultKind::GotOutput : ResultKind::GotGradient, action, played.end);
}

bool Player::playNext(std::size_t row) {
  const LoweredAction& action = m_lowered.actions[row][m_next[row]];
  const std::size_t result = schedule::awaited(action, m_lowered.source, m_index);
  TimeNs ready = 0;
  if (result != schedule::kNoResult) {
    ready = m_times[result];
    if (ready == kNotYet) {
      m_waiting[result] = static_cast<std::int32_t>(row);
      return false;
    }
  }
  Played& played = m_simulation.actions[row][m_next[row]];
  if (isCompute(action.kind)) {
    compute(row, action, ready, played);
  } else if (action.kind == ActionKind::SendForward || action.kind == ActionKind::SendBackward) {
    send(row, action, ready, played);
  } else {
    receive(row, action, played);
  }
  ++m_next[row];
  return true;
}

void Player::playRow(std::size_t row) {
  const std::size_t end = m_lowered.actions[row].size();
  while (m_next[row] < end && playNext(row)) {
  }
}

Result<Simulation> Player::run() {
  while (!m_ready.empty()) {
    const std::size_t row = m_ready.back();
    m_ready.pop_back();
    playRow(row);
  }
  for (std::size_t row = 0; row < m_rows; ++row) {
    if (m_next[row] == m_lowered.actions[row].size()) continue;
    const LoweredAction& stuck = m_lowered.actions[row][m_next[row]];
    return fail(ErrorCode::Invalid,
                "the schedule stops (deadlock): device row " + std::to_string(row) +
                    " waits forever at " +
                    schedule::cell({stuck.kind, stuck.stage, stuck.microBatch}) + " (stage " +
                    std::to_string(stuck.stage.value) + ", micro-batch " +
                    std::to_string(stuck.microBatch.value) + ")",
                {}, "Mend the schedule, or use a generated one");
  }
  return std::move(m_simulation);
}

/// Every stage and micro-batch must have a cost.
Status checkCosts(const schedule::LoweredSchedule& lowered, const PlanCosts& costs) {
  const auto stages = static_cast<std::size_t>(lowered.source.stages);
  const auto microBatches = static_cast<std::size_t>(lowered.source.microBatches);
  bool covered = costs.stage.size() >= stages && stages > 0;
  for (const auto& row : costs.stage) covered = covered && row.size() >= microBatches;
  if (covered) return {};
  return fail(ErrorCode::Invalid, "the costs do not cover " + std::to_string(stages) +
                                      " stages and " + std::to_string(microBatches) +
                                      " micro-batches");
}

}  // namespace

Result<Simulation> simulate(const schedule::LoweredSchedule& lowered, const PlanCosts& costs) {
  if (auto status = checkCosts(lowered, costs); !status) {
    return tl::make_unexpected(status.error());
  }
  return Player(lowered, costs).run();
}

Result<Bound> bound(const schedule::LoweredSchedule& lowered, PlanCosts costs) {
  costs.transfersBlock = false;
  for (auto& stage : costs.stage) {
    for (StageCost& cost : stage) cost.sendForward = cost.sendBackward = 0;
  }
  const auto simulation = simulate(lowered, costs);
  if (!simulation) return tl::make_unexpected(simulation.error());
  TimeNs work = 0;
  for (const TimeNs busy : simulation->busyNs) work += busy;
  const auto devices = static_cast<TimeNs>(simulation->busyNs.size());
  return Bound{simulation->stepNs, (work + devices - 1) / devices};
}

}  // namespace stagelane::predict
