#include "engine/run/rank_reports.h"

#include <pthread.h>

#include <chrono>
#include <utility>

#include "engine/run/ranks/rank_team.h"

namespace stagelane::run {

void RankReports::start(const RankTeam* team, std::function<void(Json members)> report,
                        TimeNs intervalNs) {
  if (team == nullptr || m_thread.joinable()) return;
  m_stopping = false;
  m_thread = std::thread([this, team, intervalNs, report = std::move(report)] {
    pthread_setname_np(pthread_self(), "rank reports");
    const auto stopping = [this] { return m_stopping; };
    std::unique_lock lock(m_mutex);
    while (!m_changed.wait_for(lock, std::chrono::nanoseconds(intervalNs), stopping)) {
      lock.unlock();
      report({{"ranks", team->table()}});
      lock.lock();
    }
  });
}

void RankReports::stop() {
  if (!m_thread.joinable()) return;
  {
    const std::lock_guard lock(m_mutex);
    m_stopping = true;
  }
  m_changed.notify_all();
  m_thread.join();
}

}  // namespace stagelane::run
