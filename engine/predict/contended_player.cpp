#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/predict/player.h"
#include "engine/predict/shared_cores.h"

// Processor sharing: while N workers run, each takes f(N) nanoseconds for one of its own. All slow
// down equally, so one work clock serves all: an action that begins at work time w ends at w plus
// its duration, even if the number of busy workers changes. Times are whole nanoseconds; an action
// that ends in between ends at the next one, so a step of n actions is at most n nanoseconds too
// long.

namespace stagelane::predict::detail {
namespace {

constexpr double kSameMoment =
    0.01;  ///< nanoseconds; well above the rounding error of sums of doubles
constexpr TimeNs kNever = std::numeric_limits<TimeNs>::max();

}  // namespace

void Player::fillFactors() {
  m_factors.resize(m_rows + 1);
  for (std::size_t busy = 1; busy <= m_rows; ++busy) {
    m_factors[busy] = contentionAt(m_costs->contention, static_cast<int>(busy));
  }
  m_factors[0] = m_factors[m_rows == 0 ? 0 : 1];
}

void Player::playContended() {
  fillFactors();
  m_clocks.assign(m_rows, RowClock{});
  m_now = 0;
  m_work = 0.0;
  m_running = 0;
  do {
    while (!m_ready.empty()) {
      const std::size_t row = m_ready.back();
      m_ready.pop_back();
      advance(row);
    }
  } while (nextEvent());
}

/// Advances a row until it runs, waits or is done.
void Player::advance(std::size_t row) {
  RowClock& clock = m_clocks[row];
  clock.state = State::Free;
  const auto& actions = m_lowered->actions[row];
  while (m_next[row] < actions.size()) {
    const LoweredAction& action = actions[m_next[row]];
    if (!isTransfer(action.kind)) {
      if (!begin(row, action)) return;
      continue;
    }
    const TimeNs ready = readyAt(row, action);
    if (ready == kNotYet) {
      clock.state = State::Waiting;
      return;
    }
    transfer(row, action, ready);
    ++m_next[row];
  }
  clock.state = State::Done;
}

/// Whether the action completes immediately; if not, the row waits for a result or a time, or runs.
bool Player::begin(std::size_t row, const LoweredAction& action) {
  RowClock& clock = m_clocks[row];
  const TimeNs ready = readyAt(row, action);
  if (ready == kNotYet) {
    clock.state = State::Waiting;
    return false;
  }
  const TimeNs start = std::max(ready, m_deviceFree[row]) + m_costs->actionOverheadNs;
  if (start > m_now) {
    clock.state = State::Timed;
    clock.until = start;
    return false;
  }
  const StageCost& cost = costOf(row, action);
  hold(row, action, cost);
  const TimeNs duration = durationOf(action, cost);
  clock.start = start;
  if (duration == 0) {
    finish(row, action, {start, start});
    ++m_next[row];
    return true;
  }
  clock.state = State::Running;
  if (contends(row) && action.kind != ActionKind::Reduce) {
    clock.endsAtWork = m_work + static_cast<double>(duration);
    clock.until = kNever;
    ++m_running;
  } else {
    clock.until = start + duration;
  }
  return false;
}

void Player::end(std::size_t row) {
  const LoweredAction& action = m_lowered->actions[row][m_next[row]];
  RowClock& clock = m_clocks[row];
  if (clock.until == kNever) --m_running;
  clock.state = State::Free;
  finish(row, action, {clock.start, m_now});
  ++m_next[row];
  m_ready.push_back(row);
}

/// Advances to the next time at which something ends or may begin; false if nothing is left.
bool Player::nextEvent() {
  TimeNs next = kNever;
  double work = std::numeric_limits<double>::infinity();
  for (const RowClock& clock : m_clocks) {
    if (clock.state == State::Running && clock.until == kNever) {
      work = std::min(work, clock.endsAtWork);
    } else if (clock.state == State::Running || clock.state == State::Timed) {
      next = std::min(next, clock.until);
    }
  }
  const double factor = m_factors[m_running];
  if (m_running > 0) {
    const double left = std::ceil((work - m_work) * factor - kSameMoment);
    next = std::min(next, m_now + std::max<TimeNs>(0, static_cast<TimeNs>(left)));
  }
  if (next == kNever) return false;
  m_work += static_cast<double>(next - m_now) / factor;
  m_now = next;
  for (std::size_t row = 0; row < m_rows; ++row) {
    RowClock& clock = m_clocks[row];
    const bool due = clock.until == kNever
                         ? (clock.endsAtWork - m_work) * factor <= 2.0 * kSameMoment
                         : clock.until <= m_now;
    if (clock.state == State::Running && due) end(row);
    if (clock.state == State::Timed && due) m_ready.push_back(row);
  }
  return true;
}

}  // namespace stagelane::predict::detail
