#include "engine/schedule/progress.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/schedule/dependencies.h"

namespace stagelane::schedule::detail {
namespace {

std::string name(const LoweredAction& action) {
  std::string text = cell({action.kind, action.stage, action.microBatch});
  text += " (stage " + std::to_string(action.stage.value);
  if (action.microBatch.valid()) text += ", micro-batch " + std::to_string(action.microBatch.value);
  return text + ")";
}

class Progress {
 public:
  Progress(const LoweredSchedule& lowered, std::optional<int> channelCapacity);
  Status play();

 private:
  void playRow(std::size_t row);
  /// Returns whether the action can run; records what the row waits for if not.
  [[nodiscard]] bool mayGo(std::size_t row, const LoweredAction& action);
  [[nodiscard]] bool mayReduce(std::size_t row, const LoweredAction& action);
  [[nodiscard]] bool weightsThere(const LoweredAction& reduce) const;
  void finish(std::size_t row, const LoweredAction& action);
  void weightDone(StageId stage);
  void wakeReduces() {
    m_ready.insert(m_ready.end(), m_waitsWeights.begin(), m_waitsWeights.end());
    m_waitsWeights.clear();
  }
  void set(ResultKind kind, const LoweredAction& action) {
    setAt(m_index.of(kind, action.stage.value, action.microBatch.value));
  }
  void setAt(std::size_t result) {
    m_done[result] = true;
    wake(m_waiting[result]);
  }
  void wake(std::int32_t& row) {
    if (row >= 0) m_ready.push_back(static_cast<std::size_t>(row));
    row = -1;
  }
  /// Index of a channel; the stages of one row pair and direction share it.
  [[nodiscard]] std::size_t channel(std::size_t from, std::size_t to, bool forward) const {
    return (from * m_lowered.actions.size() + to) * 2 + (forward ? 1 : 0);
  }

  const LoweredSchedule& m_lowered;
  ResultIndex m_index;
  std::optional<int> m_capacity;
  std::vector<bool> m_done;                 ///< per result
  std::vector<std::int32_t> m_waiting;      ///< per result: the row that waits for it
  std::vector<int> m_inChannel;             ///< per channel: sent and not received
  std::vector<std::int32_t> m_waitsRoom;    ///< per channel: the row that waits to send
  std::vector<int> m_weightsLeft;           ///< per stage
  std::vector<int> m_replicasAway;          ///< per stage: those that are not at their REDUCE
  std::vector<std::size_t> m_waitsWeights;  ///< rows at a REDUCE
  std::vector<StageId> m_reducesAt;         ///< per row: the stage of the REDUCE that it came to
  std::vector<std::size_t> m_next;          ///< per row
  std::vector<std::size_t> m_ready;
};

Progress::Progress(const LoweredSchedule& lowered, std::optional<int> channelCapacity)
    : m_lowered(lowered),
      m_index(lowered.source),
      m_capacity(channelCapacity),
      m_done(m_index.size()),
      m_waiting(m_index.size(), -1),
      m_weightsLeft(static_cast<std::size_t>(lowered.source.stages), lowered.source.microBatches),
      m_reducesAt(lowered.actions.size()),
      m_next(lowered.actions.size(), 0) {
  const std::size_t rows = lowered.actions.size();
  if (m_capacity) {
    m_inChannel.resize(2 * rows * rows, 0);
    m_waitsRoom.resize(2 * rows * rows, -1);
  }
  for (int stage = 0; stage < lowered.source.stages; ++stage) {
    m_replicasAway.push_back(lowered.source.rows.replicas(stage));
  }
  for (std::size_t row = rows; row > 0; --row) m_ready.push_back(row - 1);
}

bool Progress::weightsThere(const LoweredAction& reduce) const {
  for (const std::vector<int>& group : m_lowered.tied) {
    if (std::find(group.begin(), group.end(), reduce.stage.value) == group.end()) continue;
    for (const int stage : group) {
      if (m_weightsLeft[static_cast<std::size_t>(stage)] > 0) return false;
    }
  }
  return true;
}

/// Replicas go on together, when all of them have come; stages that share a parameter do not wait
/// for each other's REDUCE.
bool Progress::mayReduce(std::size_t row, const LoweredAction& action) {
  int& away = m_replicasAway[static_cast<std::size_t>(action.stage.value)];
  const bool comes = std::exchange(m_reducesAt[row], action.stage) != action.stage;
  if (comes && --away == 0) wakeReduces();
  if (away == 0 && weightsThere(action)) return true;
  m_waitsWeights.push_back(row);
  return false;
}

bool Progress::mayGo(std::size_t row, const LoweredAction& action) {
  if (action.kind == ActionKind::Reduce) return mayReduce(row, action);
  const std::size_t result = awaited(row, action, m_lowered.source, m_index);
  if (result != kNoResult && !m_done[result]) {
    m_waiting[result] = static_cast<std::int32_t>(row);
    return false;
  }
  const bool forward = action.kind == ActionKind::SendForward;
  if (!m_capacity || (!forward && action.kind != ActionKind::SendBackward)) return true;
  const std::size_t to = channel(row, static_cast<std::size_t>(action.peer), forward);
  if (m_inChannel[to] < *m_capacity) return true;
  m_waitsRoom[to] = static_cast<std::int32_t>(row);
  return false;
}

void Progress::weightDone(StageId stage) {
  if (--m_weightsLeft[static_cast<std::size_t>(stage.value)] > 0) return;
  wakeReduces();
}

void Progress::finish(std::size_t row, const LoweredAction& action) {
  const auto passChannel = [&](std::size_t from, std::size_t to, bool forward, int change) {
    if (!m_capacity) return;
    const std::size_t index = channel(from, to, forward);
    m_inChannel[index] += change;
    if (change < 0) wake(m_waitsRoom[index]);
  };
  const auto peer = static_cast<std::size_t>(action.peer);
  switch (action.kind) {
    case ActionKind::Forward: set(ResultKind::Output, action); break;
    case ActionKind::Backward:
      set(ResultKind::InputGradient, action);
      weightDone(action.stage);
      break;
    case ActionKind::BackwardInput: set(ResultKind::InputGradient, action); break;
    case ActionKind::BackwardWeight: weightDone(action.stage); break;
    case ActionKind::Loss:
      if (action.microBatch.valid()) return set(ResultKind::Loss, action);
      for (std::int32_t k = 0; k < m_lowered.source.microBatches; ++k) {
        setAt(m_index.of(ResultKind::Loss, action.stage.value, k));
      }
      break;
    case ActionKind::SendForward:
      passChannel(row, peer, true, 1);
      set(ResultKind::SentOutput, action);
      break;
    case ActionKind::SendBackward:
      passChannel(row, peer, false, 1);
      set(ResultKind::SentGradient, action);
      break;
    case ActionKind::RecvForward:
      passChannel(peer, row, true, -1);
      set(ResultKind::GotOutput, action);
      break;
    case ActionKind::RecvBackward:
      passChannel(peer, row, false, -1);
      set(ResultKind::GotGradient, action);
      break;
    default: break;
  }
}

void Progress::playRow(std::size_t row) {
  const auto& actions = m_lowered.actions[row];
  while (m_next[row] < actions.size() && mayGo(row, actions[m_next[row]])) {
    finish(row, actions[m_next[row]]);
    ++m_next[row];
  }
}

Status Progress::play() {
  while (!m_ready.empty()) {
    const std::size_t row = m_ready.back();
    m_ready.pop_back();
    playRow(row);
  }
  for (std::size_t row = 0; row < m_next.size(); ++row) {
    if (m_next[row] == m_lowered.actions[row].size()) continue;
    const LoweredAction& stuck = m_lowered.actions[row][m_next[row]];
    const bool sends =
        stuck.kind == ActionKind::SendForward || stuck.kind == ActionKind::SendBackward;
    const std::string what =
        sends ? "waits forever for room in a channel of " + std::to_string(m_capacity.value_or(0))
              : std::string("waits forever");
    return unsound(row, stuck, what + ": the devices wait for each other (deadlock)");
  }
  return {};
}

}  // namespace

Status unsound(std::size_t row, const LoweredAction& action, std::string_view what) {
  return fail(ErrorCode::Invalid,
              "device row " + std::to_string(row) + ": " + name(action) + " " + std::string(what),
              {}, "Fix the schedule, or use a generated one");
}

Status checkProgress(const LoweredSchedule& lowered, std::optional<int> channelCapacity) {
  return Progress(lowered, channelCapacity).play();
}

}  // namespace stagelane::schedule::detail
