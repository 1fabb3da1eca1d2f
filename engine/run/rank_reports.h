#pragma once

/// Tells at intervals what the processes of a run do, also in the middle of a long repeat, in which
/// the run's own thread is busy.

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "engine/base/ids.h"
#include "engine/base/json.h"

namespace stagelane::run {

class RankTeam;

class RankReports {
 public:
  RankReports() = default;
  ~RankReports() { stop(); }
  RankReports(const RankReports&) = delete;
  RankReports& operator=(const RankReports&) = delete;

  /// `report` gets the members of the event `ranks`. Does nothing without a team.
  /// @pre the team outlives this, or `stop` is called before its end
  /// @thread `report` is called in a thread of this object
  void start(const RankTeam* team, std::function<void(Json members)> report,
             TimeNs intervalNs = 2'000'000'000);
  /// After it returns, no call is in progress. @thread any but that of `report`
  void stop();

 private:
  std::mutex m_mutex;  ///< guards m_stopping
  std::condition_variable m_changed;
  bool m_stopping = false;
  std::thread m_thread;
};

}  // namespace stagelane::run
