#include "engine/search/workload.h"

#include <algorithm>

#include "engine/search/synthesis.h"

namespace stagelane::search {
namespace {

constexpr TimeNs kNotYet = -1;

/// For inference only the forward: the other actions of the orders take no time and keep nothing.
Workload::Cost costOf(const predict::StageCost& stage, bool last, const predict::PlanCosts& costs) {
  const TimeNs overhead = costs.actionOverheadNs;
  Workload::Cost cost;
  cost.forward = stage.forward + overhead;
  cost.sendForward = stage.sendForward;
  cost.temporary = stage.bytes ? stage.bytes->forwardPeak : stage.temporaryBytes;
  if (costs.forwardOnly) return cost;
  cost.forward += last ? stage.loss + overhead : 0;
  cost.backward = stage.backward + overhead;
  cost.input = stage.backwardInput + overhead;
  cost.weight = stage.backwardWeight + overhead;
  cost.sendBackward = stage.sendBackward;
  cost.saved = stage.savedBytes;
  cost.recomputed = stage.recomputedBytes;
  cost.output = stage.outputBytes;
  cost.loss = stage.lossBytes;
  if (!stage.bytes) return cost;
  // The search uses each action's maximum for all actions, and counts what I leaves for W as kept
  // from F on. Its results may hold slightly less; the simulator counts exactly.
  const predict::StageBytes& bytes = *stage.bytes;
  cost.temporary = std::max({bytes.forwardPeak, bytes.backwardPeak, bytes.firstBackwardPeak,
                             bytes.inputPeak, bytes.weightPeak, bytes.firstWeightPeak});
  cost.temporary += bytes.outputGradient;
  cost.saved += std::max<Bytes>(0, bytes.captured);
  cost.recomputed = 0;
  return cost;
}

}  // namespace

TimeNs Workload::duration(const schedule::Action& action) const {
  const Cost& of = at(action.stage.value, action.microBatch.value);
  switch (action.kind) {
    case ActionKind::Forward: return of.forward;
    case ActionKind::BackwardInput: return of.input;
    case ActionKind::BackwardWeight: return of.weight;
    default: return of.backward;
  }
}

TimeNs Workload::wholeBackward(int stage, int microBatch) const {
  const Cost& of = at(stage, microBatch);
  return std::min(of.backward, of.input + of.weight);
}

Workload workloadOf(const std::vector<int>& deviceOfStage, const predict::PlanCosts& costs,
                    const MemoryCaps& caps) {
  Workload workload;
  workload.stages = static_cast<int>(deviceOfStage.size());
  workload.rows = 1 + *std::max_element(deviceOfStage.begin(), deviceOfStage.end());
  workload.microBatches = static_cast<int>(costs.stage.front().size());
  workload.transfersBlock = costs.transfersBlock;
  workload.optimizerWaitsForAll = costs.optimizerWaitsForAll;
  workload.rowOf = deviceOfStage;
  const auto rows = static_cast<std::size_t>(workload.rows);
  workload.stagesOf.resize(rows);
  workload.optimizer.assign(rows, 0);
  for (int stage = 0; stage < workload.stages; ++stage) {
    const auto& costsOfStage = costs.stage[static_cast<std::size_t>(stage)];
    const auto row = static_cast<std::size_t>(workload.row(stage));
    workload.stagesOf[row].push_back(stage);
    if (!costs.forwardOnly) {
      workload.optimizer[row] += costsOfStage.front().optimizer + costs.actionOverheadNs;
    }
    for (int k = 0; k < workload.microBatches; ++k) {
      workload.cost.push_back(
          costOf(costsOfStage[static_cast<std::size_t>(k)], stage + 1 == workload.stages, costs));
    }
  }
  for (std::size_t row = 0; row < rows; ++row) {
    const std::optional<Bytes> limit = caps.limit(row);
    Bytes resident = row < costs.residentBytes.size() ? costs.residentBytes[row] : 0;
    for (const int stage : workload.stagesOf[row]) {
      const auto& bytes = costs.stage[static_cast<std::size_t>(stage)].front().bytes;
      resident += bytes ? bytes->gradients + bytes->inputGradient : 0;
    }
    workload.room.push_back(limit ? *limit - resident : std::numeric_limits<Bytes>::max());
    const bool counted = row < caps.live.size() && caps.live[row] > 0;
    workload.mostLive.push_back(counted ? caps.live[row] : std::numeric_limits<int>::max());
  }
  return workload;
}

void Kept::add(const schedule::Action& action, const Workload::Cost& cost) {
  const bool forward = action.kind == ActionKind::Forward;
  if (forward) {
    bytes += cost.saved;
    ++live;
  } else if (action.kind != ActionKind::BackwardWeight) {
    bytes += cost.recomputed - cost.output;
  }
  peak = bytes + cost.temporary;
  if (forward) {
    bytes += cost.output;
    peak = std::max(peak, bytes + cost.loss);
  }
  if (forward || action.kind == ActionKind::BackwardInput) return;
  bytes -= cost.saved + cost.recomputed;
  --live;
}

bool fits(const Workload& workload, std::size_t row, const std::vector<schedule::Action>& order) {
  Kept kept;
  for (const schedule::Action& action : order) {
    kept.add(action, workload.at(action.stage.value, action.microBatch.value));
    if (kept.peak > workload.room[row] || kept.live > workload.mostLive[row]) return false;
  }
  return true;
}

OrderTimer::OrderTimer(const Workload& workload) : m_workload(workload) {
  const std::size_t results = workload.cost.size();
  const auto rows = static_cast<std::size_t>(workload.rows);
  m_input.resize(results);
  m_gradient.resize(results);
  m_waitsInput.resize(results);
  m_waitsGradient.resize(results);
  m_inputGradientDone.resize(results);
  m_placeOfForward.resize(results);
  m_placeOfGradient.resize(results);
  m_linkFree.resize(rows * rows);
  m_free.resize(rows);
  m_next.resize(rows);
  m_spans.resize(rows);
}

/// Records when a result produced on `from` is available on `to`; wakes the row that waits for it.
void OrderTimer::deliver(std::vector<TimeNs>& arrivals, std::size_t at, int from, int to,
                         TimeNs duration) {
  TimeNs arrival = m_free[static_cast<std::size_t>(from)];
  if (from != to) {
    TimeNs& link = m_linkFree[static_cast<std::size_t>(from * m_workload.rows + to)];
    arrival = std::max(arrival, link) + duration;
    link = arrival;
    if (m_workload.transfersBlock) m_free[static_cast<std::size_t>(from)] = arrival;
  }
  arrivals[at] = arrival;
  std::vector<int>& waits = &arrivals == &m_input ? m_waitsInput : m_waitsGradient;
  if (waits[at] >= 0) m_ready.push_back(static_cast<std::size_t>(waits[at]));
}

/// Earliest start by the action's inputs; a blocking copy occupies the row as long as the sender.
TimeNs OrderTimer::awaited(const schedule::Action& action, std::size_t row, bool& there) {
  const std::size_t at = m_workload.index(action.stage.value, action.microBatch.value);
  if (action.kind == ActionKind::BackwardWeight) {
    there = m_inputGradientDone[at] != 0;
    return m_free[row];
  }
  const bool forward = action.kind == ActionKind::Forward;
  const TimeNs arrival = forward ? m_input[at] : m_gradient[at];
  there = arrival != kNotYet;
  if (!there) {
    (forward ? m_waitsInput : m_waitsGradient)[at] = static_cast<int>(row);
    return 0;
  }
  const int other = action.stage.value + (forward ? -1 : 1);
  const bool remote =
      other >= 0 && other < m_workload.stages && m_workload.row(other) != static_cast<int>(row);
  if (!m_workload.transfersBlock || !remote) return std::max(arrival, m_free[row]);
  const Workload::Cost& sender = m_workload.at(other, action.microBatch.value);
  const TimeNs held = forward ? sender.sendForward : sender.sendBackward;
  return std::max(arrival, m_free[row] + held);
}

bool OrderTimer::playNext(const schedule::Action& action, std::size_t row, Span& span) {
  bool there = true;
  const TimeNs start = awaited(action, row, there);
  if (!there) return false;
  const int stage = action.stage.value;
  const int microBatch = action.microBatch.value;
  span = {start, start + m_workload.duration(action)};
  m_free[row] = span.end;
  const std::size_t at = m_workload.index(stage, microBatch);
  const Workload::Cost& cost = m_workload.cost[at];
  const auto thisRow = static_cast<int>(row);
  if (action.kind == ActionKind::Forward) {
    if (stage + 1 == m_workload.stages) {
      deliver(m_gradient, at, thisRow, thisRow, 0);
    } else {
      deliver(m_input, m_workload.index(stage + 1, microBatch), thisRow, m_workload.row(stage + 1),
              cost.sendForward);
    }
  } else if (action.kind != ActionKind::BackwardWeight) {
    m_inputGradientDone[at] = 1;
    if (stage > 0) {
      deliver(m_gradient, m_workload.index(stage - 1, microBatch), thisRow,
              m_workload.row(stage - 1), cost.sendBackward);
    }
  }
  return true;
}

void OrderTimer::playRow(const Orders& orders, std::size_t row) {
  const auto& order = orders[row];
  std::size_t next = m_next[row];
  while (next < order.size() && playNext(order[next], row, m_spans[row][next])) ++next;
  m_next[row] = next;
}

TimeNs OrderTimer::play(const Orders& orders) {
  std::fill(m_input.begin(), m_input.end(), kNotYet);
  std::fill_n(m_input.begin(), m_workload.microBatches, 0);
  std::fill(m_gradient.begin(), m_gradient.end(), kNotYet);
  std::fill(m_waitsInput.begin(), m_waitsInput.end(), -1);
  std::fill(m_waitsGradient.begin(), m_waitsGradient.end(), -1);
  std::fill(m_inputGradientDone.begin(), m_inputGradientDone.end(), 0);
  std::fill(m_linkFree.begin(), m_linkFree.end(), 0);
  std::fill(m_free.begin(), m_free.end(), 0);
  std::fill(m_next.begin(), m_next.end(), 0U);
  m_ready.clear();
  for (std::size_t row = orders.size(); row > 0; --row) {
    m_spans[row - 1].resize(orders[row - 1].size());
    m_ready.push_back(row - 1);
  }
  while (!m_ready.empty()) {
    const std::size_t row = m_ready.back();
    m_ready.pop_back();
    playRow(orders, row);
  }
  const TimeNs last = *std::max_element(m_free.begin(), m_free.end());
  TimeNs step = 0;
  m_sumOfEnds = 0;
  for (std::size_t row = 0; row < orders.size(); ++row) {
    if (m_next[row] < orders[row].size()) return kNever;
    const TimeNs begin = m_workload.optimizerWaitsForAll ? last : m_free[row];
    step = std::max(step, begin + m_workload.optimizer[row]);
    m_sumOfEnds += m_free[row] + m_workload.optimizer[row];
  }
  return step;
}

/// Records where each forward and each input gradient runs. Returns the row that ends last.
std::size_t OrderTimer::placeActions(const Orders& orders) {
  std::size_t last = 0;
  TimeNs latest = -1;
  for (std::size_t row = 0; row < orders.size(); ++row) {
    for (std::size_t i = 0; i < orders[row].size(); ++i) {
      const schedule::Action& action = orders[row][i];
      const std::size_t at = m_workload.index(action.stage.value, action.microBatch.value);
      if (action.kind == ActionKind::Forward) {
        m_placeOfForward[at] = {row, i};
      } else if (action.kind != ActionKind::BackwardWeight) {
        m_placeOfGradient[at] = {row, i};
      }
    }
    const TimeNs end = m_free[row] + m_workload.optimizer[row];
    if (!orders[row].empty() && end > latest) {
      latest = end;
      last = row;
    }
  }
  return last;
}

/// The place of the action that produces this action's input. @pre not a forward of stage 0
OrderTimer::Place OrderTimer::sourceOf(const schedule::Action& action) const {
  const int stage = action.stage.value;
  const int k = action.microBatch.value;
  if (action.kind == ActionKind::Forward) return m_placeOfForward[m_workload.index(stage - 1, k)];
  if (action.kind == ActionKind::BackwardWeight) {
    return m_placeOfGradient[m_workload.index(stage, k)];
  }
  return stage + 1 == m_workload.stages ? m_placeOfForward[m_workload.index(stage, k)]
                                        : m_placeOfGradient[m_workload.index(stage + 1, k)];
}

void OrderTimer::criticalPlaces(const Orders& orders, std::vector<Place>& places) {
  places.clear();
  const std::size_t row = placeActions(orders);
  if (orders[row].empty()) return;
  Place place{row, orders[row].size() - 1};
  while (true) {
    const Span& span = m_spans[place.row][place.position];
    if (place.position > 0 && m_spans[place.row][place.position - 1].end == span.start) {
      places.push_back(place);
      --place.position;
      continue;
    }
    const schedule::Action& action = orders[place.row][place.position];
    if (action.kind == ActionKind::Forward && action.stage.value == 0) return;
    place = sourceOf(action);
  }
}

}  // namespace stagelane::search
