#pragma once

/// Questions that the engine program answers at once: which devices this machine has.

#include "engine/base/json.h"
#include "engine/base/result.h"

namespace stagelane::app {

/// The entries of `stagelane-engine devices --json` (docs/reference/json.md).
/// @errors EngineFailure: missing, failed, or an answer that cannot be read
/// @thread any; blocks until the engine has answered (about half a second), 60 s at most
[[nodiscard]] Result<Json> queryDevices();

}  // namespace stagelane::app
