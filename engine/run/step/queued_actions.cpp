#include "engine/run/step/queued_actions.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/trace/recorder.h"

namespace stagelane::run {

void QueuedActions::add(const schedule::LoweredAction& action, std::int64_t step,
                        std::shared_ptr<Marker> end) {
  const TimeNs nowNs = trace::monotonicNs();
  const std::lock_guard lock(m_mutex);
  m_entries.push_back({&action, step, m_next++, std::move(end), nowNs});
}

QueuedActions::Ended QueuedActions::poll() {
  // Computations end in their order; a transfer may end before or after its neighbors. So many are
  // asked for that a few slow transfers do not hide the computations behind them.
  constexpr std::size_t kAsked = 8;
  Ended result;
  while (true) {
    const std::vector<Entry> asked = first(kAsked);
    std::vector<Entry> ended;
    try {
      std::copy_if(asked.begin(), asked.end(), std::back_inserter(ended),
                   [](const Entry& entry) { return entry.end->reached(); });
    } catch (...) {
      remove(ended, trace::monotonicNs(), result);
      throw;
    }
    remove(ended, trace::monotonicNs(), result);
    if (ended.empty() || ended.size() < asked.size()) return result;
  }
}

std::vector<QueuedActions::Entry> QueuedActions::first(std::size_t count) const {
  const std::lock_guard lock(m_mutex);
  const auto end =
      m_entries.begin() + static_cast<std::ptrdiff_t>(std::min(count, m_entries.size()));
  return {m_entries.begin(), end};
}

void QueuedActions::remove(const std::vector<Entry>& ended, TimeNs nowNs, Ended& result) {
  const std::lock_guard lock(m_mutex);
  const auto sinceNs = [this](const Entry& oldest) {
    return std::max(oldest.queuedNs, m_oldestSinceNs);
  };
  for (const Entry& each : ended) {
    const auto found =
        std::find_if(m_entries.begin(), m_entries.end(),
                     [&each](const Entry& entry) { return entry.number == each.number; });
    if (found == m_entries.end()) continue;  // cleared in between
    if (found == m_entries.begin()) {
      result.longestNs = std::max(result.longestNs, nowNs - sinceNs(*found));
      m_oldestSinceNs = nowNs;
    }
    m_entries.erase(found);
    ++result.count;
  }
}

std::optional<RowActivity> QueuedActions::oldest() const {
  const std::lock_guard lock(m_mutex);
  if (m_entries.empty()) return std::nullopt;
  const Entry& entry = m_entries.front();
  return RowActivity{entry.action, std::max(entry.queuedNs, m_oldestSinceNs), entry.step,
                     /*queued=*/true};
}

bool QueuedActions::empty() const {
  const std::lock_guard lock(m_mutex);
  return m_entries.empty();
}

void QueuedActions::clear() {
  const std::lock_guard lock(m_mutex);
  m_entries.clear();
}

}  // namespace stagelane::run
