#pragma once

/// The processes of a run, from the first meeting to the end. Rank 0 leads: it gives tasks, which
/// all others carry out together with it, and collects their answers. Everybody notices when
/// another process is lost, fails or is canceled.

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "engine/base/json.h"
#include "engine/base/result.h"
#include "engine/run/ranks/heartbeats.h"
#include "engine/run/ranks/rank_clocks.h"
#include "engine/run/ranks/rank_groups.h"
#include "engine/run/ranks/rank_mail.h"
#include "engine/run/ranks/rank_meeting.h"
#include "engine/run/ranks/rank_processes.h"
#include "engine/run/ranks/rank_store.h"

namespace stagelane::run {

struct TeamOptions {
  std::string devices;                       ///< of this rank, in words, for the others
  TimeNs meetLimitNs = 60'000'000'000;       ///< until all ranks have started
  TimeNs operationLimitNs = 60'000'000'000;  ///< of a collective operation
  /// Busy machines may not run a thread for seconds.
  HeartbeatOptions heartbeats{.limitNs = 4'000'000'000};
  StopCheck stopped{};
};

class RankTeam {
 public:
  /// `processes`: those that this process has started as the other ranks, if any.
  /// @errors Invalid, EngineFailure: a rank is missing or has another version (RankLost, with its
  /// number) @thread any, all ranks together; blocks for at most the limits
  [[nodiscard]] static Result<std::unique_ptr<RankTeam>> join(
      std::unique_ptr<RankStore> store, TeamOptions options,
      std::unique_ptr<RankProcesses> processes = nullptr);
  ~RankTeam();
  RankTeam(const RankTeam&) = delete;
  RankTeam& operator=(const RankTeam&) = delete;

  [[nodiscard]] int rank() const { return m_store->rank(); }
  [[nodiscard]] int size() const { return m_store->size(); }
  [[nodiscard]] bool leads() const { return rank() == 0; }
  [[nodiscard]] const std::vector<RankHello>& members() const { return m_members; }
  [[nodiscard]] RankStore& store() { return *m_store; }
  [[nodiscard]] RankMail& mail() { return *m_mail; }
  /// A group for collective operations, with a name of its own. It is aborted when a rank is lost.
  /// @errors EngineFailure, those of lost() @thread all members together; blocks
  [[nodiscard]] Result<std::shared_ptr<RankGroup>> group(const std::string& name,
                                                         std::vector<int> members);

  /// The leader gives a task. @errors EngineFailure
  [[nodiscard]] Status ask(const Json& task);
  /// The next task. @errors EngineFailure: the leader is gone @thread a follower's; blocks
  [[nodiscard]] Result<Json> nextTask(const StopCheck& stopped);
  /// Answers the last task. Any size. @errors EngineFailure
  [[nodiscard]] Status answer(const std::string& text);
  /// The answers of the others to the last task, by rank from 1 on. @errors EngineFailure, those of
  /// lost() @thread the leader's; blocks
  [[nodiscard]] Result<std::vector<std::string>> answers(const StopCheck& stopped);
  /// Waits until all ranks are here. @errors EngineFailure, those of lost() @thread any; blocks
  [[nodiscard]] Status meet(const StopCheck& stopped);

  /// Why the run cannot go on: another rank is lost or has failed. @thread any
  [[nodiscard]] std::optional<Error> lost() const;
  /// Why something failed here: a lost rank, if one is noticed soon, explains a failed transfer.
  /// @thread any; blocks for longer than a heartbeat may be late
  [[nodiscard]] Error causeOf(Error error) const;
  /// The leader was canceled. @thread any
  [[nodiscard]] bool canceled() const { return m_canceled.load(); }
  /// Calls `told` once with lost(), at once if a rank is lost already; null: no longer. After that
  /// returns, no call is in progress. @thread any
  void onLoss(std::function<void(const Error&)> told);

  /// What this process does, in a few words and codes, for the others. `doing`: the details until
  /// `describeBy` has others. @thread any
  void say(const Json& state, Json doing = Json::object());
  /// `doing` is asked for details before each heartbeat; null: none. After that returns, no call is
  /// in progress. @thread any
  void describeBy(std::function<Json()> doing);
  /// Tells the others that this rank has failed. @thread any
  void sayFailed(const Error& error);
  /// Tells the followers to stop at their next action. @thread the leader's
  void sayCanceled();
  /// What the ranks do: {rank, host, pid, devices, state, doing, variant and repeat during a turn,
  /// last_seen_ms, clock_error_ns}. @thread any
  [[nodiscard]] Json table() const;

  /// Compares the clocks again. @errors EngineFailure @thread all ranks together; blocks
  [[nodiscard]] Status compare();
  /// A time of another rank's clock on the leader's; meaningful on the leader. @thread any
  [[nodiscard]] TimeNs onFirstClock(int rank, TimeNs timeNs) const;
  /// A time of another rank's clock on this process's. @thread any
  [[nodiscard]] TimeNs onOwnClock(int from, TimeNs timeNs) const;
  [[nodiscard]] std::vector<ClockEstimate> clocks() const;

  /// Ends in order: the last call. @returns false if a thread hangs and the process must end with
  /// `_exit`
  [[nodiscard]] bool leave();
  /// Ends after a failure: frees nothing that hangs. The other processes of this host that this one
  /// has started end, too.
  void abandon();

 private:
  RankTeam(std::unique_ptr<RankStore> store, TeamOptions options,
           std::unique_ptr<RankProcesses> processes);
  [[nodiscard]] Status begin();
  [[nodiscard]] Status meetAll();
  [[nodiscard]] Result<std::shared_ptr<RankGroup>> makeGroup(const std::string& name,
                                                             std::vector<int> members);
  void sayState();
  void monitor();
  void look();
  void lose(Error error);
  [[nodiscard]] Error lossOf(const RankLoss& loss) const;
  [[nodiscard]] Error lossOf(const RankEnd& end) const;
  [[nodiscard]] bool gaveUp(const StopCheck& stopped) const;
  [[nodiscard]] Result<at::Tensor> passOn(at::Tensor tensor);
  void endThreads();

  TeamOptions m_options;
  std::unique_ptr<RankStore> m_store;
  std::unique_ptr<RankProcesses> m_processes;
  std::vector<RankHello> m_members;
  std::shared_ptr<RankGroup> m_clockGroup;
  std::unique_ptr<RankMail> m_mail;
  std::unique_ptr<Heartbeats> m_heartbeats;
  std::int64_t m_task = 0;   ///< number of the last task
  std::int64_t m_meets = 0;  ///< number of the last meeting

  std::atomic<bool> m_canceled{false};
  std::atomic<bool> m_leaving{false};
  mutable std::mutex m_mutex;  ///< guards all below
  std::optional<Error> m_lost;
  std::function<void(const Error&)> m_told;
  std::vector<std::weak_ptr<RankGroup>> m_groups;  ///< to abort
  std::function<Json()> m_doing;
  Json m_state = Json::object();
  Json m_ending = Json::object();  ///< `failed`, `canceling`
  Json m_lastDoing = Json::object();
  std::vector<ClockEstimate> m_clocks;
  std::vector<TimeNs> m_offsetsNs;  ///< of each rank's clock against the leader's
  std::thread m_monitor;
};

}  // namespace stagelane::run
