#include "engine/search/list_schedule.h"

#include <algorithm>
#include <queue>

namespace stagelane::search {
namespace {

constexpr TimeNs kNotYet = -1;

/// An action that a row could run, now or when its input arrives.
struct Candidate {
  ActionKind kind = ActionKind::Forward;
  int stage = -1;
  int microBatch = 0;
  TimeNs ready = 0;
  double rank = 0.0;
};

class Devices {
 public:
  Devices(const Workload& workload, const ListRules& rules, Random& random);
  std::optional<Orders> run();

 private:
  void decide(std::size_t row, TimeNs now);
  void collect(std::size_t row);
  void collectForward(int stage);
  void consider(ActionKind kind, int stage, int microBatch, TimeNs ready);
  [[nodiscard]] bool admits(std::size_t row, int stage, int microBatch) const;
  void start(std::size_t row, const Candidate& chosen, TimeNs now);
  void count(std::size_t row, const Candidate& done);
  void deliver(std::vector<TimeNs>& arrivals, std::size_t at, int from, int to, TimeNs duration);
  void wake(TimeNs time, std::size_t row) { m_wakes.push({time, row}); }
  [[nodiscard]] static std::size_t at(int index) { return static_cast<std::size_t>(index); }

  struct Wake {
    TimeNs time;
    std::size_t row;
    friend bool operator>(const Wake& a, const Wake& b) {
      return a.time != b.time ? a.time > b.time : a.row > b.row;
    }
  };

  const Workload& m_workload;
  const ListRules& m_rules;
  Random& m_random;
  std::priority_queue<Wake, std::vector<Wake>, std::greater<>> m_wakes;
  std::vector<TimeNs> m_input;
  std::vector<TimeNs> m_gradient;
  std::vector<int> m_nextForward;  ///< per stage: the next micro-batch
  std::vector<int> m_nextBackward;
  std::vector<int> m_nextWeight;
  std::vector<TimeNs> m_free;
  std::vector<TimeNs> m_linkFree;
  std::vector<Kept> m_kept;
  std::vector<Bytes> m_aside;  ///< per row: temporary memory of the largest action
  std::vector<Candidate> m_candidates;
  std::size_t m_left = 0;
  Orders m_orders;
};

Devices::Devices(const Workload& workload, const ListRules& rules, Random& random)
    : m_workload(workload), m_rules(rules), m_random(random) {
  const std::size_t results = workload.cost.size();
  const std::size_t stages = at(workload.stages);
  const std::size_t rows = at(workload.rows);
  m_input.assign(results, kNotYet);
  std::fill_n(m_input.begin(), workload.microBatches, 0);
  m_gradient.assign(results, kNotYet);
  m_nextForward.assign(stages, 0);
  m_nextBackward.assign(stages, 0);
  m_nextWeight.assign(stages, 0);
  m_free.assign(rows, 0);
  m_linkFree.assign(rows * rows, 0);
  m_kept.resize(rows);
  m_aside.assign(rows, 0);
  for (std::size_t i = 0; i < results; ++i) {
    Bytes& aside = m_aside[at(workload.rowOf[i / at(workload.microBatches)])];
    const Workload::Cost& cost = workload.cost[i];
    aside = std::max({aside, cost.temporary + cost.recomputed, cost.output + cost.loss});
  }
  m_orders.resize(rows);
  for (int stage = 0; stage < workload.stages; ++stage) {
    m_left += at(workload.microBatches) * (rules.split[at(stage)] != 0 ? 3U : 2U);
  }
}

/// Whether the forward leaves enough room for the oldest micro-batch to finish on the row.
bool Devices::admits(std::size_t row, int stage, int microBatch) const {
  int oldest = microBatch;
  for (const int other : m_workload.stagesOf[row]) {
    oldest = std::min(oldest, m_nextForward[at(other)]);
  }
  Bytes kept = m_kept[row].bytes + m_workload.at(stage, microBatch).saved + m_aside[row];
  int live = m_kept[row].live + 1;
  for (const int other : m_workload.stagesOf[row]) {
    if (m_nextForward[at(other)] > oldest || (other == stage && microBatch == oldest)) continue;
    kept += m_workload.at(other, oldest).saved;
    ++live;
  }
  return kept <= m_workload.room[row] && live <= m_workload.mostLive[row] &&
         live <= m_rules.mostLive[row];
}

void Devices::consider(ActionKind kind, int stage, int microBatch, TimeNs ready) {
  double rank = m_rules.backward;
  if (kind == ActionKind::Forward) rank = m_rules.forward + m_rules.depth * stage;
  if (kind == ActionKind::BackwardWeight) rank = m_rules.weight;
  if (m_rules.noise > 0.0) rank += m_rules.noise * m_random.unit();
  m_candidates.push_back({kind, stage, microBatch, ready, rank});
}

void Devices::collectForward(int stage) {
  const int k = m_nextForward[at(stage)];
  if (k >= m_workload.microBatches) return;
  const TimeNs ready = m_input[m_workload.index(stage, k)];
  if (ready == kNotYet || !admits(at(m_workload.row(stage)), stage, k)) return;
  consider(ActionKind::Forward, stage, k, ready);
}

void Devices::collect(std::size_t row) {
  m_candidates.clear();
  for (const int stage : m_workload.stagesOf[row]) {
    collectForward(stage);
    const int k = m_nextBackward[at(stage)];
    const bool split = m_rules.split[at(stage)] != 0;
    if (k < m_nextForward[at(stage)]) {
      const TimeNs ready = m_gradient[m_workload.index(stage, k)];
      // Memory recomputed for I is held until W, so it needs room.
      const Bytes again = m_workload.at(stage, k).recomputed + m_workload.at(stage, k).temporary;
      const bool room = !split || again == 0 || m_kept[row].bytes + again <= m_workload.room[row];
      if (ready != kNotYet && room) {
        consider(split ? ActionKind::BackwardInput : ActionKind::Backward, stage, k, ready);
      }
    }
    if (split && m_nextWeight[at(stage)] < k) {
      consider(ActionKind::BackwardWeight, stage, m_nextWeight[at(stage)], 0);
    }
  }
}

void Devices::deliver(std::vector<TimeNs>& arrivals, std::size_t result, int from, int to,
                      TimeNs duration) {
  TimeNs arrival = m_free[at(from)];
  if (from != to) {
    TimeNs& link = m_linkFree[at(from * m_workload.rows + to)];
    arrival = std::max(arrival, link) + duration;
    link = arrival;
    if (m_workload.transfersBlock) m_free[at(from)] = arrival;
  }
  arrivals[result] = arrival;
  wake(std::max(arrival, m_free[at(to)]), at(to));
}

/// Updates the live counts and the next micro-batches.
void Devices::count(std::size_t row, const Candidate& done) {
  m_kept[row].add({done.kind, StageId{done.stage}, MicroBatchId{done.microBatch}},
                  m_workload.at(done.stage, done.microBatch));
  if (done.kind == ActionKind::Forward) {
    ++m_nextForward[at(done.stage)];
  } else if (done.kind == ActionKind::BackwardWeight) {
    ++m_nextWeight[at(done.stage)];
  } else {
    ++m_nextBackward[at(done.stage)];
  }
}

void Devices::start(std::size_t row, const Candidate& chosen, TimeNs now) {
  const schedule::Action action{chosen.kind, StageId{chosen.stage},
                                MicroBatchId{chosen.microBatch}};
  m_free[row] = now + m_workload.duration(action);
  m_orders[row].push_back(action);
  --m_left;
  count(row, chosen);
  const int k = chosen.microBatch;
  const auto here = static_cast<int>(row);
  const Workload::Cost& cost = m_workload.at(chosen.stage, k);
  if (chosen.kind == ActionKind::Forward) {
    const int next = chosen.stage + 1;
    if (next == m_workload.stages) {
      deliver(m_gradient, m_workload.index(chosen.stage, k), here, here, 0);
    } else {
      deliver(m_input, m_workload.index(next, k), here, m_workload.row(next), cost.sendForward);
    }
  } else if (chosen.kind != ActionKind::BackwardWeight && chosen.stage > 0) {
    const int next = chosen.stage - 1;
    deliver(m_gradient, m_workload.index(next, k), here, m_workload.row(next), cost.sendBackward);
  }
  wake(m_free[row], row);
}

void Devices::decide(std::size_t row, TimeNs now) {
  if (m_free[row] > now) return;
  collect(row);
  const Candidate* best = nullptr;
  for (const Candidate& candidate : m_candidates) {
    if (candidate.ready <= now && (best == nullptr || candidate.rank > best->rank)) {
      best = &candidate;
    }
  }
  TimeNs horizon = kNever;
  if (best != nullptr) {
    const TimeNs lasts =
        m_workload.duration({best->kind, StageId{best->stage}, MicroBatchId{best->microBatch}});
    horizon = now + static_cast<TimeNs>(m_rules.patience * static_cast<double>(lasts));
  }
  TimeNs better = kNever;
  for (const Candidate& candidate : m_candidates) {
    const bool higher = best == nullptr || candidate.rank > best->rank;
    if (candidate.ready > now && candidate.ready < horizon && higher) {
      better = std::min(better, candidate.ready);
    }
  }
  if (better != kNever) return wake(better, row);
  if (best != nullptr) start(row, *best, now);
}

std::optional<Orders> Devices::run() {
  for (std::size_t row = 0; row < m_orders.size(); ++row) wake(0, row);
  while (!m_wakes.empty()) {
    const Wake next = m_wakes.top();
    m_wakes.pop();
    decide(next.row, next.time);
  }
  if (m_left > 0) return std::nullopt;
  return std::move(m_orders);
}

}  // namespace

std::optional<Orders> listSchedule(const Workload& workload, const ListRules& rules,
                                   Random& random) {
  return Devices(workload, rules, random).run();
}

}  // namespace stagelane::search
