#pragma once

/// Waits for one job of a worker whose device may be stuck: proofs and calibrations have no rows
/// that an executor could watch.

#include <future>

#include "engine/run/device/worker.h"
#include "engine/run/step/run_control.h"

namespace stagelane::run {

/// Waits for the end of `job`. Abandons the worker if the job takes longer than `limitNs`, or does
/// not end within two seconds after a stop. Then the caller goes on while the thread may still be
/// in the job, which therefore has to own what it uses.
/// @returns the job's result @errors EngineFailure (stalled, or abandoned after a stop)
[[nodiscard]] Status awaitJob(std::future<Status>& job, Worker& worker, const RunControl& control,
                              TimeNs limitNs);

}  // namespace stagelane::run
