#pragma once

/// A training snapshot as a text, to send it from rank to rank.

#include <string>

#include "engine/run/proof/reference.h"

namespace stagelane::run {

/// In the byte order of this machine: all ranks of a run have the same program.
[[nodiscard]] std::string packed(const TrainingSnapshot& snapshot);
/// @errors EngineFailure: not such a text
[[nodiscard]] Result<TrainingSnapshot> unpackedSnapshot(const std::string& text);

}  // namespace stagelane::run
