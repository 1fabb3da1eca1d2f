#pragma once

/// Measures the transfer time of a boundary tensor between two workers, through the same exchange
/// that a step uses.

#include "engine/predict/cost_table.h"
#include "engine/run/device/worker.h"
#include "engine/run/step/run_control.h"

namespace stagelane::run {

/// α + n/β from `from` to `to`; α with a GPU is the mean of both directions. CPU workers share
/// memory, so bytes cost nothing there; what remains is the time until the waiting thread runs.
/// If a device is stuck, or does not end after `control` has stopped, its worker is abandoned.
/// @errors OutOfMemory, EngineFailure. @thread any but the workers'; blocks
[[nodiscard]] Result<predict::LinkCost> measureLink(Worker& from, Worker& to,
                                                    const RunControl& control);

}  // namespace stagelane::run
