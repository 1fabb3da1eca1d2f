#include "engine/run/engine.h"

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
                                    const std::atomic<bool>& stop) {
  Result<RunOutcome> outcome = RunOutcome::Done;
  const Status status = guarded("rank", [&]() -> Status {
    auto follower = std::make_unique<RankFollower>(experiment, team, dealt, stop);
    outcome = follower->run();
    // The abandoned thread still uses everything that the run created.
    if (follower->threadsLeft()) static_cast<void>(follower.release());
    return {};
  });
  STAGELANE_CHECK(status);
  return outcome;
}

}  // namespace stagelane::run
