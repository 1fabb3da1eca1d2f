#include "engine/run/step/run_control.h"

#include <algorithm>

#include "engine/trace/recorder.h"

namespace stagelane::run {
namespace {

void raise(std::atomic<TimeNs>& highest, TimeNs value) {
  TimeNs seen = highest.load(std::memory_order_relaxed);
  while (seen < value && !highest.compare_exchange_weak(seen, value)) {
  }
}

}  // namespace

RunControl::RunControl(const std::atomic<bool>* stop, std::optional<TimeNs> stallTimeoutNs)
    : m_stop(stop), m_stallTimeoutNs(stallTimeoutNs), m_progressNs(trace::monotonicNs()) {}

std::unique_ptr<RunControl> RunControl::forAnotherPart() const {
  auto part = std::make_unique<RunControl>(m_stop, m_stallTimeoutNs);
  part->expectAction(std::max(m_longestNs.load(), m_expectedNs.load()));
  return part;
}

bool RunControl::canceled() const {
  return m_stop != nullptr && m_stop->load(std::memory_order_relaxed);
}

void RunControl::fail(Error error) {
  const std::lock_guard lock(m_mutex);
  if (!m_error) m_error = std::move(error);
  m_failed.store(true, std::memory_order_release);
}

std::optional<Error> RunControl::error() const {
  const std::lock_guard lock(m_mutex);
  return m_error;
}

void RunControl::recover() {
  const std::lock_guard lock(m_mutex);
  m_error.reset();
  m_failed.store(false, std::memory_order_release);
}

void RunControl::actionDone(TimeNs durationNs) {
  raise(m_longestNs, durationNs);
  stepBegins();
}

void RunControl::actionQueued(TimeNs durationNs) { raise(m_longestNs, durationNs); }

void RunControl::expectAction(TimeNs durationNs) { raise(m_expectedNs, durationNs); }

void RunControl::stepBegins() { raise(m_progressNs, trace::monotonicNs()); }

TimeNs RunControl::stallLimitNs() const {
  if (m_stallTimeoutNs) return *m_stallTimeoutNs;
  constexpr TimeNs kTimesLongest = 10;
  return std::max(kDefaultStallNs,
                  kTimesLongest * std::max(m_longestNs.load(), m_expectedNs.load()));
}

TimeNs RunControl::quietNs() const { return trace::monotonicNs() - m_progressNs.load(); }

}  // namespace stagelane::run
