#include "engine/run/engine.h"

#include "engine/run/detail/run_loop.h"

namespace stagelane::run {

Result<RunOutcome> runExperiment(const plan::Experiment& experiment, const RunPorts& ports) {
  Result<RunOutcome> outcome = RunOutcome::Done;
  const Status status = guarded("run", [&]() -> Status {
    outcome = RunLoop(experiment, ports).run();
    return {};
  });
  if (!status) {
    return tl::make_unexpected(status.error());
  }
  return outcome;
}

}  // namespace stagelane::run
