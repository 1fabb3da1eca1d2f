#include "engine/search/local_search.h"

#include <algorithm>

namespace stagelane::search {
namespace {

using schedule::Action;

constexpr std::size_t kFarthest = 6;  ///< largest distance that an action moves
constexpr std::size_t kHistory = 30;  ///< length of the late acceptance's memory
constexpr int kPlaysPerPath = 24;     ///< timings between updates of the critical path

bool sameWork(const Action& a, const Action& b) {
  return a.stage == b.stage && a.microBatch == b.microBatch;
}

/// Compares by step, then by the sum of the rows' ends.
struct Score {
  TimeNs step = kNever;
  TimeNs ends = kNever;
  friend bool operator<(const Score& a, const Score& b) {
    return a.step != b.step ? a.step < b.step : a.ends < b.ends;
  }
  friend bool operator<=(const Score& a, const Score& b) { return !(b < a); }
};

class Climber {
 public:
  Climber(const Workload& workload, Timed start, Random& random)
      : m_workload(workload),
        m_random(random),
        m_timer(workload),
        m_now(std::move(start.orders)),
        m_best{m_now, kNever} {
    m_score = m_bestScore = score();
    m_best.stepNs = m_score.step;
  }
  Timed run(const ClimbLimits& limits);

 private:
  Score score() {
    const TimeNs step = m_timer.play(m_now);
    return {step, m_timer.sumOfEnds()};
  }
  void choosePlace();
  [[nodiscard]] bool change();
  [[nodiscard]] bool shift(std::vector<Action>& order, std::size_t from, std::size_t to) const;
  [[nodiscard]] bool splitBackward(std::vector<Action>& order, std::size_t at) const;
  [[nodiscard]] bool joinBackward(std::vector<Action>& order, std::size_t at) const;
  void step(std::size_t turn);

  const Workload& m_workload;
  Random& m_random;
  OrderTimer m_timer;
  Orders m_now;
  Timed m_best;
  Score m_score;
  Score m_bestScore;
  std::vector<Score> m_history;
  std::vector<OrderTimer::Place> m_path;
  std::size_t m_row = 0;
  std::size_t m_at = 0;
  bool m_critical = false;
  std::vector<Action> m_before;  ///< the row before the change
};

/// Moves the action unless it would pass another of the same stage and micro-batch.
bool Climber::shift(std::vector<Action>& order, std::size_t from, std::size_t to) const {
  if (from == to) return false;
  const auto begin = order.begin();
  const auto low = static_cast<std::ptrdiff_t>(std::min(from, to));
  const auto high = static_cast<std::ptrdiff_t>(std::max(from, to));
  const Action moved = order[from];
  for (std::ptrdiff_t i = low; i <= high; ++i) {
    const auto place = static_cast<std::size_t>(i);
    if (place != from && sameWork(order[place], moved)) return false;
  }
  if (from < to) {
    std::rotate(begin + low, begin + low + 1, begin + high + 1);
  } else {
    std::rotate(begin + low, begin + high, begin + high + 1);
  }
  return true;
}

/// B → I and, up to a few places later, W. The first stage has no input gradient.
bool Climber::splitBackward(std::vector<Action>& order, std::size_t at) const {
  if (order[at].stage.value == 0) return false;
  const std::size_t later = std::min(at + 1 + m_random.below(kFarthest), order.size());
  Action weight = order[at];
  weight.kind = ActionKind::BackwardWeight;
  order[at].kind = ActionKind::BackwardInput;
  order.insert(order.begin() + static_cast<std::ptrdiff_t>(later), weight);
  return true;
}

/// Merges I and its W into B at the place of I.
bool Climber::joinBackward(std::vector<Action>& order, std::size_t at) const {
  for (std::size_t i = at + 1; i < order.size(); ++i) {
    if (!sameWork(order[i], order[at])) continue;
    order[at].kind = ActionKind::Backward;
    order.erase(order.begin() + static_cast<std::ptrdiff_t>(i));
    return true;
  }
  return false;
}

void Climber::choosePlace() {
  m_critical = !m_path.empty() && m_random.below(4) != 0;
  if (m_critical) {
    const OrderTimer::Place place = m_path[m_random.below(m_path.size())];
    m_row = place.row;
    m_at = std::min(place.position, m_now[m_row].size() - 1);
    return;
  }
  do {
    m_row = m_random.below(m_now.size());
  } while (m_now[m_row].empty());
  m_at = m_random.below(m_now[m_row].size());
}

/// Applies one change to one row and saves the old row in m_before.
bool Climber::change() {
  choosePlace();
  std::vector<Action>& order = m_now[m_row];
  m_before = order;
  const std::size_t kind = m_random.below(10);
  if (kind == 0 && order[m_at].kind == ActionKind::Backward) return splitBackward(order, m_at);
  if (kind == 0 && order[m_at].kind == ActionKind::BackwardInput) return joinBackward(order, m_at);
  const std::size_t far = 1 + m_random.below(kFarthest);
  if (m_critical) {
    // Moves the predecessor of a critical action behind it, or the action itself forward.
    if (m_random.below(2) == 0) return m_at > 0 && shift(order, m_at, m_at - std::min(far, m_at));
    return m_at > 0 && shift(order, m_at - 1, std::min(m_at - 1 + far, order.size() - 1));
  }
  const bool earlier = m_random.below(2) == 0;
  return shift(order, m_at,
               earlier ? m_at - std::min(far, m_at) : std::min(m_at + far, order.size() - 1));
}

void Climber::step(std::size_t turn) {
  if (!change() || !fits(m_workload, m_row, m_now[m_row])) {
    m_now[m_row].swap(m_before);
    return;
  }
  const Score tried = score();
  Score& late = m_history[turn % kHistory];
  if (tried.step == kNever || !(tried <= late || tried <= m_score)) {
    m_now[m_row].swap(m_before);
    return;
  }
  m_score = tried;
  late = std::min(late, tried);
  if (tried < m_bestScore) {
    m_bestScore = tried;
    m_best = {m_now, tried.step};
  }
}

Timed Climber::run(const ClimbLimits& limits) {
  if (m_score.step == kNever) return std::move(m_best);
  m_history.assign(kHistory, m_score);
  for (std::int64_t turn = 0; turn < limits.plays; ++turn) {
    if (turn % kPlaysPerPath == 0) {
      if (!isWanted(limits.goesOn)) break;
      if (score().step != kNever) m_timer.criticalPlaces(m_now, m_path);
    }
    step(static_cast<std::size_t>(turn));
  }
  return std::move(m_best);
}

}  // namespace

Timed improve(const Workload& workload, Timed start, const ClimbLimits& limits, Random& random) {
  return Climber(workload, std::move(start), random).run(limits);
}

namespace {

bool isPair(const std::vector<Action>& order, std::size_t at) {
  return order[at].kind == ActionKind::BackwardInput && at + 1 < order.size() &&
         order[at + 1].kind == ActionKind::BackwardWeight && sameWork(order[at], order[at + 1]);
}

std::int64_t pairsOf(const Orders& orders) {
  std::int64_t pairs = 0;
  for (const std::vector<Action>& order : orders) {
    for (std::size_t at = 0; at < order.size(); ++at) pairs += isPair(order, at) ? 1 : 0;
  }
  return pairs;
}

Orders allJoined(const Orders& orders) {
  Orders answer;
  for (const std::vector<Action>& order : orders) {
    std::vector<Action>& row = answer.emplace_back();
    for (std::size_t at = 0; at < order.size(); ++at) {
      const bool pair = isPair(order, at);
      row.push_back(order[at]);
      if (!pair) continue;
      row.back().kind = ActionKind::Backward;
      ++at;
    }
  }
  return answer;
}

}  // namespace

Timed joined(const Workload& workload, Timed start, std::int64_t plays) {
  OrderTimer timer(workload);
  if (pairsOf(start.orders) > plays) {
    Orders all = allJoined(start.orders);
    const TimeNs step = timer.play(all);
    if (step <= start.stepNs) return {std::move(all), step};
  }
  for (std::size_t row = 0; row < start.orders.size(); ++row) {
    for (std::size_t i = 0; i + 1 < start.orders[row].size(); ++i) {
      std::vector<Action>& order = start.orders[row];
      if (!isPair(order, i)) continue;
      if (--plays < 0) return start;
      const std::vector<Action> before = order;
      order[i].kind = ActionKind::Backward;
      order.erase(order.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      const TimeNs step = timer.play(start.orders);
      if (step <= start.stepNs) {
        start.stepNs = step;
      } else {
        order = before;
      }
    }
  }
  return start;
}

}  // namespace stagelane::search
