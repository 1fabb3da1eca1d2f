#pragma once

/// A run folder that was copied from a host: checks it, and moves its files into the local run
/// folder. A copy that is not complete never gets there.

#include <filesystem>

#include "engine/base/result.h"

namespace stagelane::app {

/// Moves everything from `copy` into `folder`, except events.jsonl, which was mirrored, and
/// result.json, which is made of the events when the run is closed. Files of the same name are
/// replaced.
/// @errors EngineFailure: the copy has links or other special files, or its events are not those
/// that arrived; CannotWrite
[[nodiscard]] Status takeFetchedRun(const std::filesystem::path& copy,
                                    const std::filesystem::path& folder);

}  // namespace stagelane::app
