#pragma once

/// Queries that the engine program answers immediately: the devices of this machine.

#include "engine/base/json.h"
#include "engine/base/result.h"

namespace stagelane::app {

/// The entries of `stagelane-engine devices --json` (docs/reference/json.md).
/// @errors EngineFailure: missing, failed, or unreadable output
/// @thread any; blocks until the engine answers (about half a second, 60 s at most)
[[nodiscard]] Result<Json> queryDevices();

}  // namespace stagelane::app
