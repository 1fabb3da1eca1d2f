#include "engine/predict/player.h"

#include <algorithm>
#include <string>

namespace stagelane::predict::detail {
namespace {

/// Checks that every stage and micro-batch has a cost.
Status checkCosts(const schedule::LoweredSchedule& lowered, const PlanCosts& costs) {
  const auto stages = static_cast<std::size_t>(lowered.source.stages);
  const auto microBatches = static_cast<std::size_t>(lowered.source.microBatches);
  bool covered = costs.stage.size() >= stages && stages > 0;
  for (const auto& row : costs.stage) covered = covered && row.size() >= microBatches;
  if (covered && (costs.contends.empty() || costs.contends.size() >= lowered.actions.size())) {
    return {};
  }
  return fail(ErrorCode::Invalid, "the costs do not cover " + std::to_string(stages) +
                                      " stages and " + std::to_string(microBatches) +
                                      " micro-batches");
}

/// The LOSS of a whole batch takes the summed time of its micro-batches.
TimeNs lossOf(const PlanCosts& costs, const schedule::LoweredAction& action) {
  const auto& stage = costs.stage[static_cast<std::size_t>(action.stage.value)];
  if (action.microBatch.valid()) {
    return stage[static_cast<std::size_t>(action.microBatch.value)].loss;
  }
  TimeNs sum = 0;
  for (const StageCost& cost : stage) sum += cost.loss;
  return sum;
}

}  // namespace

Status Player::play(const schedule::LoweredSchedule& lowered, const PlanCosts& costs,
                    Timeline* timeline) {
  STAGELANE_CHECK(checkCosts(lowered, costs));
  m_lowered = &lowered;
  m_costs = &costs;
  reset(timeline);
  if (costs.contention.empty()) {
    playFree();
  } else {
    playContended();
  }
  return outcome();
}

void Player::reset(Timeline* timeline) {
  const schedule::Schedule& source = m_lowered->source;
  const auto stages = static_cast<std::size_t>(source.stages);
  m_index.emplace(source);
  m_rows = m_lowered->actions.size();
  m_times.assign(m_index->size(), kNotYet);
  m_waiting.assign(m_index->size(), -1);
  m_sentFrom.resize(m_index->size());
  m_deviceFree.assign(m_rows, 0);
  m_linkFree.resize(m_rows);
  for (auto& links : m_linkFree) links.clear();
  m_next.assign(m_rows, 0);
  m_held.assign(m_rows, 0);
  m_weightsLeft.assign(stages, source.microBatches);
  m_weightsAt.assign(stages, 0);
  m_awaitWeights.clear();
  m_isAtReduce.assign(static_cast<std::size_t>(source.rows.copies()), 0);
  m_replicasAt.assign(stages, 0);
  m_replicasLeft.clear();
  for (int stage = 0; stage < source.stages; ++stage) {
    m_replicasLeft.push_back(source.rows.replicas(stage));
  }
  m_ready.clear();
  m_memory.reset(*m_costs, source.rows, m_rows);
  for (std::size_t row = 0; row < m_rows; ++row) m_ready.push_back(m_rows - 1 - row);
  m_figures.stepNs = 0;
  m_figures.busyNs.assign(m_rows, 0);
  m_figures.peakBytes = m_memory.held();
  m_figures.peakLiveMicroBatches.assign(m_rows, 0);
  m_timeline = timeline;
  if (timeline == nullptr) return;
  timeline->resize(m_rows);
  for (std::size_t row = 0; row < m_rows; ++row) {
    (*timeline)[row].assign(m_lowered->actions[row].size(), Played{});
  }
}

Status Player::outcome() const {
  for (std::size_t row = 0; row < m_rows; ++row) {
    if (m_next[row] == m_lowered->actions[row].size()) continue;
    const LoweredAction& stuck = m_lowered->actions[row][m_next[row]];
    return fail(ErrorCode::Invalid,
                "the schedule deadlocks: device row " + std::to_string(row) + " waits forever at " +
                    schedule::cell({stuck.kind, stuck.stage, stuck.microBatch}) + " (stage " +
                    std::to_string(stuck.stage.value) + ", micro-batch " +
                    std::to_string(stuck.microBatch.value) + ")",
                {}, "Fix the schedule, or use a generated one");
  }
  return {};
}

TimeNs Player::readyAt(std::size_t row, const LoweredAction& action) {
  const bool needsOthersWeights =
      action.kind == ActionKind::Reduce ||
      (action.kind == ActionKind::Optimizer && m_costs->optimizerWaitsForAll);
  if (needsOthersWeights) return weightsReadyAt(row, action);
  const std::size_t result = schedule::awaited(row, action, m_lowered->source, *m_index);
  if (result == schedule::kNoResult) return 0;
  if (m_times[result] == kNotYet) m_waiting[result] = static_cast<std::int32_t>(row);
  return m_times[result];
}

/// A REDUCE sums the gradients of its group; an OPT after clipping needs those of all stages.
TimeNs Player::weightsReadyAt(std::size_t row, const LoweredAction& action) {
  TimeNs ready = 0;
  bool all = true;
  const auto await = [&](std::size_t stage) {
    all = all && m_weightsLeft[stage] == 0;
    ready = std::max(ready, m_weightsAt[stage]);
  };
  if (action.kind == ActionKind::Optimizer) {
    for (std::size_t stage = 0; stage < m_weightsLeft.size(); ++stage) await(stage);
  }
  for (const std::vector<int>& group : m_lowered->tied) {
    const bool member = std::find(group.begin(), group.end(), action.stage.value) != group.end();
    if (action.kind != ActionKind::Reduce || !member) continue;
    for (const int stage : group) await(static_cast<std::size_t>(stage));
  }
  if (action.kind == ActionKind::Reduce &&
      m_lowered->source.rows.replicas(action.stage.value) > 1) {
    const TimeNs there = replicasReadyAt(row, action);
    all = all && there != kNotYet;
    ready = std::max(ready, there);
  }
  if (all) return ready;
  m_awaitWeights.push_back(row);
  return kNotYet;
}

/// When the last replica has come to its all-reduce, with the gradients of its micro-batches.
TimeNs Player::replicasReadyAt(std::size_t row, const LoweredAction& action) {
  const auto stage = static_cast<std::size_t>(action.stage.value);
  const int copy = m_lowered->source.rows.copyOn(action.stage.value, static_cast<int>(row));
  char& isThere = m_isAtReduce[static_cast<std::size_t>(copy)];
  if (isThere == 0) {
    isThere = 1;
    m_replicasAt[stage] = std::max(m_replicasAt[stage], m_deviceFree[row]);
    if (--m_replicasLeft[stage] == 0) wakeReduces();
  }
  return m_replicasLeft[stage] == 0 ? m_replicasAt[stage] : kNotYet;
}

TimeNs& Player::linkFree(std::size_t row, int peer) {
  auto& links = m_linkFree[row];
  for (auto& [other, free] : links) {
    if (other == peer) return free;
  }
  return links.emplace_back(peer, 0).second;
}

TimeNs Player::durationOf(const LoweredAction& action, const StageCost& cost) const {
  switch (action.kind) {
    case ActionKind::Forward: return cost.forward;
    case ActionKind::Backward: return cost.backward;
    case ActionKind::BackwardInput: return cost.backwardInput;
    case ActionKind::BackwardWeight: return cost.backwardWeight;
    case ActionKind::Loss: return lossOf(*m_costs, action);
    case ActionKind::Reduce: return cost.reduce;
    default: return cost.optimizer;
  }
}

void Player::hold(std::size_t row, const LoweredAction& action, const StageCost& cost) {
  Bytes& most = m_figures.peakBytes[row];
  most = std::max(most, m_memory.play(row, action, cost));
  if (action.kind == ActionKind::Forward) {
    int& live = m_figures.peakLiveMicroBatches[row];
    live = std::max(live, ++m_held[row]);
    if (m_costs->forwardOnly) --m_held[row];
  } else if (action.kind == ActionKind::Backward || action.kind == ActionKind::BackwardWeight) {
    --m_held[row];
  }
}

void Player::publish(const LoweredAction& action, TimeNs time) {
  switch (action.kind) {
    case ActionKind::Forward: return set(ResultKind::Output, action, time);
    case ActionKind::BackwardInput: return set(ResultKind::InputGradient, action, time);
    case ActionKind::BackwardWeight: return weightDone(action, time);
    case ActionKind::Backward:
      set(ResultKind::InputGradient, action, time);
      return weightDone(action, time);
    case ActionKind::Loss:
      if (action.microBatch.valid()) return set(ResultKind::Loss, action, time);
      for (std::int32_t k = 0; k < m_lowered->source.microBatches; ++k) {
        setAt(m_index->of(ResultKind::Loss, action.stage.value, k), time);
      }
      return;
    default: return;
  }
}

void Player::weightDone(const LoweredAction& action, TimeNs time) {
  const auto stage = static_cast<std::size_t>(action.stage.value);
  m_weightsAt[stage] = std::max(m_weightsAt[stage], time);
  if (--m_weightsLeft[stage] > 0) return;
  wakeReduces();
}

void Player::finish(std::size_t row, const LoweredAction& action, Played played) {
  m_deviceFree[row] = played.end;
  if (action.kind != ActionKind::Reduce) {
    m_figures.busyNs[row] += played.end - played.start;
    m_figures.stepNs = std::max(m_figures.stepNs, played.end);
  }
  write(row, played);
  publish(action, played.end);
}

void Player::transfer(std::size_t row, const LoweredAction& action, TimeNs ready) {
  const bool sends =
      action.kind == ActionKind::SendForward || action.kind == ActionKind::SendBackward;
  return sends ? send(row, action, ready) : receive(row, action);
}

void Player::send(std::size_t row, const LoweredAction& action, TimeNs ready) {
  const StageCost& cost = costOf(row, action);
  const bool forward = action.kind == ActionKind::SendForward;
  TimeNs& link = linkFree(row, action.peer);
  Played played;
  played.start = std::max(ready, link);
  if (m_costs->transfersBlock) played.start = std::max(played.start, m_deviceFree[row]);
  played.end = played.start + (forward ? cost.sendForward : cost.sendBackward);
  link = played.end;
  if (m_costs->transfersBlock) m_deviceFree[row] = played.end;
  const ResultKind kind = forward ? ResultKind::SentOutput : ResultKind::SentGradient;
  m_sentFrom[m_index->of(kind, action.stage.value, action.microBatch.value)] =
      m_costs->transfersBlock ? played.start : ready;
  write(row, played);
  set(kind, action, played.end);
}

/// A receive begins when the data is ready at the sender. A blocking copy occupies the receiver as
/// long as the sender.
void Player::receive(std::size_t row, const LoweredAction& action) {
  const bool forward = action.kind == ActionKind::RecvForward;
  const std::int32_t sender = action.stage.value + (forward ? -1 : 1);
  const std::size_t sent = m_index->of(forward ? ResultKind::SentOutput : ResultKind::SentGradient,
                                       sender, action.microBatch.value);
  Played played{m_sentFrom[sent], m_times[sent]};
  if (m_costs->transfersBlock) {
    const TimeNs duration = played.end - played.start;
    played.start = std::max(played.start, m_deviceFree[row]);
    played.end = played.start + duration;
    m_deviceFree[row] = played.end;
  }
  write(row, played);
  set(forward ? ResultKind::GotOutput : ResultKind::GotGradient, action, played.end);
}

/// Plays each row as far as its waits allow, and resumes it once the awaited result has a time.
void Player::playFree() {
  while (!m_ready.empty()) {
    const std::size_t row = m_ready.back();
    m_ready.pop_back();
    const std::vector<LoweredAction>& actions = m_lowered->actions[row];
    while (m_next[row] < actions.size() && playNext(row, actions[m_next[row]])) {
    }
  }
}

bool Player::playNext(std::size_t row, const LoweredAction& action) {
  const TimeNs ready = readyAt(row, action);
  if (ready == kNotYet) return false;
  if (isTransfer(action.kind)) {
    transfer(row, action, ready);
  } else {
    const StageCost& cost = costOf(row, action);
    hold(row, action, cost);
    const TimeNs start = std::max(ready, m_deviceFree[row]) + m_costs->actionOverheadNs;
    finish(row, action, {start, start + durationOf(action, cost)});
  }
  ++m_next[row];
  return true;
}

}  // namespace stagelane::predict::detail
