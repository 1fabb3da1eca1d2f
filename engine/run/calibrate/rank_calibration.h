#pragma once

/// Measures between the processes of a team. Rank 0 decides what to measure, and gives a task for
/// each measurement; all ranks carry it out together.

#include <string>

#include "engine/base/json.h"
#include "engine/base/result.h"
#include "engine/run/engine.h"

namespace stagelane::run {

class RankTeam;

/// The part of this rank in a task. @returns what it measured, for rank 0 @errors EngineFailure,
/// those of the team @thread all ranks together; blocks
[[nodiscard]] Result<std::string> takePart(RankTeam& team, const Json& task);

/// Rank 0. Empty if it was stopped. Does not end the team. @errors as takePart
[[nodiscard]] Result<std::optional<BetweenRanks>> measureBetweenRanks(
    const plan::Experiment& experiment, const RankCalibrationPorts& ports);

}  // namespace stagelane::run
