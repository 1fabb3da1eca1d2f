#include "engine/run/engine.h"

#include "engine/run/calibrate/rank_calibration.h"
#include "engine/run/loop/rank_follower.h"
#include "engine/run/loop/run_loop.h"

namespace stagelane::run {

Result<RunOutcome> runExperiment(const plan::Experiment& experiment, const RunPorts& ports) {
  Result<RunOutcome> outcome = RunOutcome::Done;
  const Status status = guarded("run", [&]() -> Status {
    auto loop = std::make_unique<RunLoop>(experiment, ports);
    outcome = loop->run();
    if (loop->threadsLeft()) {
      // The abandoned thread still uses everything that the run created.
      static_cast<void>(loop.release());
    }
    return {};
  });
  STAGELANE_CHECK(status);
  return outcome;
}

Result<RunOutcome> followExperiment(const plan::Experiment& experiment, RankTeam& team, bool dealt,
                                    RankWork work, const std::atomic<bool>& stop) {
  Result<RunOutcome> outcome = RunOutcome::Done;
  const Status status = guarded("rank", [&]() -> Status {
    auto follower = std::make_unique<RankFollower>(experiment, team, dealt, work, stop);
    outcome = follower->run();
    // The abandoned thread still uses everything that the run created.
    if (follower->threadsLeft()) static_cast<void>(follower.release());
    return {};
  });
  STAGELANE_CHECK(status);
  return outcome;
}

Result<std::optional<BetweenRanks>> calibrateBetweenRanks(const plan::Experiment& experiment,
                                                          const RankCalibrationPorts& ports) {
  std::optional<BetweenRanks> measured;
  const Status status = guarded("calibrating between ranks", [&]() -> Status {
    STAGELANE_TRY(answer, measureBetweenRanks(experiment, ports));
    measured = std::move(*answer);
    return {};
  });
  if (!status) {
    const Error cause = ports.team->causeOf(status.error());
    ports.team->sayFailed(cause);
    return tl::make_unexpected(cause);
  }
  if (!measured) ports.team->sayCanceled();
  static_cast<void>(ports.team->ask({{"do", "end"}}));
  return measured;
}

}  // namespace stagelane::run
