#pragma once

/// Measures the link between two processes: a boundary tensor that a stage sends to a stage of
/// another rank.

#include <vector>

#include "engine/predict/cost_table.h"
#include "engine/run/device/worker.h"
#include "engine/run/ranks/mail_probe.h"
#include "engine/run/step/run_control.h"

namespace stagelane::run {

/// The line through the times with the least relative errors, without devices. Neither part is
/// negative. @pre at least one time
[[nodiscard]] predict::ProcessLink linkThrough(const std::vector<MessageTime>& times);

/// Between two processes of this host, with two CPU workers of this one as their ends.
/// @errors EngineFailure: they cannot connect, or `control` stopped. @thread any but the workers';
/// blocks
[[nodiscard]] Result<predict::ProcessLink> measureProcessLink(Worker& from, Worker& to,
                                                              const RunControl& control);

}  // namespace stagelane::run
