#pragma once

/// Asks a host for its engine and its devices, in one connection. Stores nothing.

#include <atomic>

#include "app/engine_client/remote/hosts.h"
#include "engine/base/result.h"

namespace stagelane::app {

/// The host with version, devices and time of the check; `engine` is where the engine was found.
/// @errors EngineFailure: ssh failed, the engine is missing or has another version than this
/// program (both are named), or its answer is not understood. Each says what to do.
/// @thread any; blocks until the host answers, 60 s at most, or `canceled` is true
[[nodiscard]] Result<RemoteHost> checkHost(const RemoteHost& host,
                                           const std::atomic<bool>& canceled);
[[nodiscard]] Result<RemoteHost> checkHost(const RemoteHost& host);

}  // namespace stagelane::app
