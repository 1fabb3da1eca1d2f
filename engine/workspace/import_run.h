#pragma once

/// A run folder that was copied from elsewhere, taken into the workspace.

#include <filesystem>
#include <functional>

#include "engine/base/ids.h"
#include "engine/base/result.h"

namespace stagelane::workspace {

/// Told before each file, and each MiB of one, how much is copied; answering false stops. @thread
/// the caller's of the work
using ImportProgress = std::function<bool(Bytes done, Bytes of)>;

/// Copies the folder's files to `WORKSPACE/runs/NAME` (a suffix -2 … when taken), whole or not at
/// all; a folder that lies there already stays where it is. Links are not followed. What
/// killed programs left of their imports is removed. The index is not touched. @returns where the
/// run is now, empty when it was stopped
/// @errors Invalid (no run folder), CannotWrite @thread any, blocks for the time of the copy
[[nodiscard]] Result<std::filesystem::path> importRun(const std::filesystem::path& workspace,
                                                      const std::filesystem::path& folder,
                                                      const ImportProgress& progress = {});

}  // namespace stagelane::workspace
