#pragma once

/// What the processes other than rank 0 do in a run or a calibration: they carry out the tasks that
/// rank 0 gives, with the same experiment and plan.

#include <atomic>

#include "engine/run/engine.h"
#include "engine/run/measure/turn.h"
#include "engine/run/ranks/rank_team.h"

namespace stagelane::run {

class RankFollower {
 public:
  /// All references outlive it. `stop` as in RunPorts.
  RankFollower(const plan::Experiment& experiment, RankTeam& team, bool dealt, RankWork work,
               const std::atomic<bool>& stop);
  ~RankFollower();
  RankFollower(const RankFollower&) = delete;
  RankFollower& operator=(const RankFollower&) = delete;

  /// Until the leader says that the run has ended. Blocks. @errors as runExperiment, and those of
  /// the team
  [[nodiscard]] Result<RunOutcome> run();
  [[nodiscard]] bool threadsLeft() const { return m_pool.anyAbandoned(); }

 private:
  [[nodiscard]] Status prepare();
  [[nodiscard]] Status carryOut(const Json& task);
  [[nodiscard]] Status turn(VariantRun& run, const Json& task);
  [[nodiscard]] Status check(const VariantRun& run, const Json& task);
  [[nodiscard]] bool askedAlone() const;
  void watch();

  const plan::Experiment m_experiment;
  RankTeam& m_team;
  bool m_dealt;
  RankWork m_work;
  const std::atomic<bool>& m_signaled;
  std::atomic<bool> m_stop{false};  ///< a signal came, or the leader was canceled
  std::atomic<bool> m_ended{false};
  std::thread m_watch;
  RunControl m_control;
  WorkerPool m_pool;
  TurnTaker m_turns;
  std::vector<VariantRun> m_runs;
};

}  // namespace stagelane::run
