#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/predict/simulator.h"

namespace stagelane::predict {
namespace {

constexpr TimeNs kNone = std::numeric_limits<TimeNs>::max();

/// The lower bound of one schedule.
class LowerBound {
 public:
  LowerBound(const schedule::LoweredSchedule& lowered, const PlanCosts& costs)
      : m_lowered(lowered), m_costs(costs), m_stages(costs.stage.size()) {}
  TimeNs compute();

 private:
  [[nodiscard]] TimeNs least(std::size_t stage, TimeNs StageCost::*member) const;
  void findKinds();
  void findPaths();
  [[nodiscard]] TimeNs ofRow(std::size_t row) const;
  [[nodiscard]] TimeNs durationOf(const schedule::LoweredAction& action) const;

  const schedule::LoweredSchedule& m_lowered;
  const PlanCosts& m_costs;
  std::size_t m_stages;
  std::vector<bool> m_whole, m_halves;  ///< per stage: has B, has I and W
  std::vector<TimeNs> m_head;           ///< per stage: from the step's start to its first F
  std::vector<TimeNs> m_tail;           ///< per stage: from its last action's end to the step's
};

TimeNs LowerBound::least(std::size_t stage, TimeNs StageCost::*member) const {
  TimeNs answer = kNone;
  for (int k = 0; k < m_lowered.source.microBatches; ++k) {
    answer = std::min(answer, m_costs.stage[stage][static_cast<std::size_t>(k)].*member);
  }
  return answer == kNone ? 0 : answer;
}

void LowerBound::findKinds() {
  m_whole.assign(m_stages, false);
  m_halves.assign(m_stages, false);
  for (const auto& row : m_lowered.actions) {
    for (const schedule::LoweredAction& action : row) {
      const auto stage = static_cast<std::size_t>(action.stage.value);
      if (action.kind == ActionKind::Backward) m_whole[stage] = true;
      if (action.kind == ActionKind::BackwardInput) m_halves[stage] = true;
    }
  }
}

void LowerBound::findPaths() {
  const auto& rowOf = m_lowered.source.deviceOfStage;
  m_head.assign(m_stages, 0);
  m_tail.assign(m_stages, 0);
  for (std::size_t s = 1; s < m_stages; ++s) {
    m_head[s] = m_head[s - 1] + least(s - 1, &StageCost::forward);
    if (rowOf[s] != rowOf[s - 1]) m_head[s] += least(s - 1, &StageCost::sendForward);
  }
  if (m_costs.forwardOnly) {
    for (std::size_t s = m_stages - 1; s > 0; --s) {
      m_tail[s - 1] = m_tail[s] + least(s, &StageCost::forward);
      if (rowOf[s] != rowOf[s - 1]) m_tail[s - 1] += least(s - 1, &StageCost::sendForward);
    }
    return;
  }
  const auto gradient = [&](std::size_t s) {
    const TimeNs whole = m_whole[s] ? least(s, &StageCost::backward) : kNone;
    const TimeNs half = m_halves[s] ? least(s, &StageCost::backwardInput) : kNone;
    const TimeNs answer = std::min(whole, half);
    return answer == kNone ? 0 : answer;
  };
  // After the last gradient of stage 0 comes its weight half where it has one, and its optimizer.
  m_tail[0] = least(0, &StageCost::optimizer);
  if (m_halves[0] && !m_whole[0]) m_tail[0] += least(0, &StageCost::backwardWeight);
  for (std::size_t s = 1; s < m_stages; ++s) {
    m_tail[s] = m_tail[s - 1] + gradient(s - 1);
    if (rowOf[s] != rowOf[s - 1]) m_tail[s] += least(s, &StageCost::sendBackward);
  }
}

TimeNs LowerBound::durationOf(const schedule::LoweredAction& action) const {
  const auto& stage = m_costs.stage[static_cast<std::size_t>(action.stage.value)];
  const StageCost& cost = stage[static_cast<std::size_t>(std::max(0, action.microBatch.value))];
  switch (action.kind) {
    case ActionKind::Forward: return cost.forward;
    case ActionKind::Backward: return cost.backward;
    case ActionKind::BackwardInput: return cost.backwardInput;
    case ActionKind::BackwardWeight: return cost.backwardWeight;
    case ActionKind::Optimizer: return cost.optimizer;
    case ActionKind::Loss: break;
    default: return 0;
  }
  if (action.microBatch.valid()) return cost.loss;
  TimeNs sum = 0;
  for (const StageCost& each : stage) sum += each.loss;
  return sum;
}

/// All of a row's work follows its head. Its weight halves and optimizer steps may come after its
/// last gradient, while other rows work; the rest must be over before the tail begins.
TimeNs LowerBound::ofRow(std::size_t row) const {
  TimeNs all = 0, beforeTail = 0, head = kNone, tail = kNone;
  for (const schedule::LoweredAction& action : m_lowered.actions[row]) {
    const TimeNs duration = durationOf(action);
    all += duration;
    if (action.kind == ActionKind::Optimizer || action.kind == ActionKind::BackwardWeight) continue;
    beforeTail += duration;
    const auto stage = static_cast<std::size_t>(action.stage.value);
    head = std::min(head, m_head[stage]);
    tail = std::min(tail, m_tail[stage]);
  }
  return head == kNone ? all : head + std::max(all, beforeTail + tail);
}

TimeNs LowerBound::compute() {
  findKinds();
  findPaths();
  TimeNs answer = 0;
  for (std::size_t row = 0; row < m_lowered.actions.size(); ++row) {
    answer = std::max(answer, ofRow(row));
  }
  double fastest = 1.0;
  for (const auto& [busy, factor] : m_costs.contention) fastest = std::min(fastest, factor);
  return static_cast<TimeNs>(std::floor(static_cast<double>(answer) * fastest));
}

/// Where rows slow each other down, a row that waits less may make others slower: then free
/// transfers lead to a longer step, and what is possible is the step as it is.
Result<TimeNs> stepAsItIs(StepSimulator& simulator, const schedule::LoweredSchedule& lowered,
                          const PlanCosts& costs) {
  if (costs.contention.empty()) return kNone;
  const auto figures = simulator.play(lowered, costs);
  if (!figures) return tl::make_unexpected(figures.error());
  return (*figures)->stepNs;
}

}  // namespace

Result<Bound> bound(const schedule::LoweredSchedule& lowered, PlanCosts costs) {
  StepSimulator simulator;
  const auto step = stepAsItIs(simulator, lowered, costs);
  if (!step) return tl::make_unexpected(step.error());
  costs.transfersBlock = false;
  costs.actionOverheadNs = 0;
  for (auto& stage : costs.stage) {
    for (StageCost& cost : stage) cost.sendForward = cost.sendBackward = cost.reduce = 0;
  }
  const auto figures = simulator.play(lowered, costs);
  if (!figures) return tl::make_unexpected(figures.error());
  TimeNs work = 0;
  for (const TimeNs busy : (*figures)->busyNs) work += busy;
  const auto devices = static_cast<TimeNs>((*figures)->busyNs.size());
  return Bound{std::min((*figures)->stepNs, *step),
               std::min((work + devices - 1) / devices, *step)};
}

TimeNs lowerBound(const schedule::LoweredSchedule& lowered, const PlanCosts& costs) {
  const auto stages = static_cast<std::size_t>(lowered.source.stages);
  const auto microBatches = static_cast<std::size_t>(lowered.source.microBatches);
  const auto isShort = [&](const auto& stage) { return stage.size() < microBatches; };
  if (costs.stage.size() != stages || stages == 0 ||
      std::any_of(costs.stage.begin(), costs.stage.end(), isShort)) {
    return 0;
  }
  return LowerBound(lowered, costs).compute();
}

}  // namespace stagelane::predict
