#pragma once

/// Errors of a host as sentences that say what to do: of ssh, and of the scripts that run there.

#include <QByteArray>
#include <string>

#include "engine/base/result.h"

namespace stagelane::app {

/// What `stagelane-engine version` prints if it is of the same build as this program.
[[nodiscard]] std::string ownEngineVersion();

/// The error of a step that ended with `code` (ssh's own, SshStep's -1, or one of
/// remote_scripts.h), printed `printed` and wrote `errors` to standard error.
[[nodiscard]] Error hostError(const std::string& host, int code, const QByteArray& printed,
                              const QByteArray& errors);
/// The engine there is of another build. `engine` is its path.
[[nodiscard]] Error otherVersion(const std::string& host, const std::string& version,
                                 const std::string& engine);

}  // namespace stagelane::app
