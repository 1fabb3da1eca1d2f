#include "engine/run/loop/rank_follower.h"

#include <chrono>

#include "engine/base/text_member.h"
#include "engine/plan/fixed_plan.h"
#include "engine/run/calibrate/rank_calibration.h"
#include "engine/run/proof/gradient_check.h"
#include "engine/run/proof/packed_snapshot.h"
#include "engine/run/step/precision.h"

namespace stagelane::run {

RankFollower::RankFollower(const plan::Experiment& experiment, RankTeam& team, bool dealt,
                           RankWork work, const std::atomic<bool>& stop)
    : m_experiment(experiment),
      m_team(team),
      m_dealt(dealt),
      m_work(work),
      m_signaled(stop),
      m_control(&m_stop, stallTimeoutNs(m_experiment)),
      m_pool(m_experiment),
      m_turns(m_experiment, m_control) {
  m_watch = std::thread([this] { watch(); });
}

RankFollower::~RankFollower() {
  m_ended = true;
  m_watch.join();
}

void RankFollower::watch() {
  constexpr auto kSlice = std::chrono::milliseconds(20);
  while (!m_ended) {
    if (m_signaled || m_team.canceled()) m_stop = true;
    std::this_thread::sleep_for(kSlice);
  }
}

Status RankFollower::prepare() {
  // A calibration between ranks trains nothing.
  if (m_work == RankWork::Calibration) return {};
  setProcessPrecision(m_experiment.precision);
  STAGELANE_TRY(runs, prepareVariants(m_experiment, m_pool, {nullptr, &m_team, m_dealt}));
  m_runs = std::move(*runs);
  STAGELANE_CHECK(m_turns.prepare());
  return agree(m_team.store(), "plan", plan::fixedPlan(m_experiment).dump(),
               /*limitNs=*/60'000'000'000, [this] { return m_team.lost() || m_signaled.load(); });
}

/// Only this process got a signal; otherwise the leader would say that it is canceled, too.
bool RankFollower::askedAlone() const {
  constexpr TimeNs kGraceNs = 1'000'000'000;
  const TimeNs startNs = trace::monotonicNs();
  while (trace::monotonicNs() - startNs < kGraceNs) {
    if (m_team.canceled() || m_team.lost()) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return m_signaled;
}

Result<RunOutcome> RankFollower::run() {
  Status status = prepare();
  while (status) {
    auto task = m_team.nextTask([this] { return m_signaled.load(); });
    if (m_signaled && askedAlone()) {
      status = fail(ErrorCode::EngineFailure, "was asked to stop by a signal", "", "",
                    {FailureKind::RankLost});
      break;
    }
    // A canceled leader still says that the run has ended.
    if (!task && m_signaled) return RunOutcome::Canceled;
    if (!task) return tl::make_unexpected(task.error());
    if (textMember(*task, "do") == "end") {
      return m_team.canceled() || m_signaled ? RunOutcome::Canceled : RunOutcome::Done;
    }
    status = carryOut(*task);
  }
  const Error cause = m_signaled ? status.error() : m_team.causeOf(status.error());
  // Another rank's loss is known to all.
  if (!m_team.lost()) m_team.sayFailed(cause);
  return tl::make_unexpected(cause);
}

Status RankFollower::carryOut(const Json& task) {
  if (textMember(task, "do") == "clocks") {
    m_team.say(task);
    STAGELANE_CHECK(m_team.compare());
    return m_team.answer("");
  }
  if (m_work == RankWork::Calibration) {
    m_team.say(task);
    STAGELANE_TRY(measured, takePart(m_team, task));
    return m_team.answer(*measured);
  }
  for (VariantRun& run : m_runs) {
    if (run.variant->id != textMember(task, "variant")) continue;
    m_team.say(task, run.remote ? run.remote->place() : Json::object());
    const Status done = textMember(task, "do") == "turn" ? turn(run, task) : check(run, task);
    if (done || !m_control.canceled()) return done;
    return {};  // a canceled leader does not wait for the answer
  }
  return fail(ErrorCode::EngineFailure,
              "rank 0 asks for a variant that does not exist here: " + task.dump());
}

Status RankFollower::turn(VariantRun& run, const Json& task) {
  STAGELANE_TRY(part, m_turns.follow(run, task.value("repeat", 0)));
  return m_team.answer(packed(*part));
}

Status RankFollower::check(const VariantRun& run, const Json& task) {
  const auto type = static_cast<at::ScalarType>(task.value("type", 0));
  const std::unique_ptr<RunControl> control = m_control.forAnotherPart();
  STAGELANE_TRY(snapshot, followCheck(run.stepPlan(m_experiment), type, *control));
  return m_team.answer(*snapshot ? packed(**snapshot) : packed(TrainingSnapshot{}));
}

}  // namespace stagelane::run
