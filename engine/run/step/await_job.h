#pragma once

/// Waits for workers whose devices may be stuck, where no executor watches them: in proofs, in
/// calibrations, and before a run.

#include <future>
#include <string>

#include "engine/run/device/worker.h"
#include "engine/run/step/run_control.h"

namespace stagelane::run {

/// Waits for the end of `job`. Abandons the worker if the job takes longer than `limitNs`, or does
/// not end within two seconds after a stop. The abandoned thread may still run the job after this
/// function has returned, so the job must own what it uses.
/// @returns the job's result @errors EngineFailure (stalled, or abandoned after a stop)
[[nodiscard]] Status awaitJob(std::future<Status>& job, Worker& worker, const RunControl& control,
                              TimeNs limitNs);

/// Backend::prepareTransfer from one worker to another. If a copy does not end within the stall
/// limit, or after a stop, both workers are abandoned.
/// @returns a remark for the user, or "" @errors EngineFailure (stalled, or stopped)
/// @pre no worker works
[[nodiscard]] Result<std::string> prepareTransfer(Worker& from, Worker& to,
                                                  const RunControl& control);

}  // namespace stagelane::run
