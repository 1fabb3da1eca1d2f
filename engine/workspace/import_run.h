#pragma once

/// Imports a copy of a run folder into the workspace.

#include <filesystem>
#include <functional>

#include "engine/base/ids.h"
#include "engine/base/result.h"

namespace stagelane::workspace {

/// Called before each file, and after each MiB of one, with the copied bytes; returning false stops
/// the copy. @thread the caller's
using ImportProgress = std::function<bool(Bytes done, Bytes of)>;

/// Copies the folder's files to `WORKSPACE/runs/NAME` (a suffix -2 … if taken), completely or not
/// at all; a folder that is already there is not copied. Does not follow links. Removes partial
/// imports of killed programs. Does not update the index. @returns the run's new folder, empty if
/// stopped
/// @errors Invalid (not a run folder), CannotWrite @thread any, blocks for the time of the copy
[[nodiscard]] Result<std::filesystem::path> importRun(const std::filesystem::path& workspace,
                                                      const std::filesystem::path& folder,
                                                      const ImportProgress& progress = {});

}  // namespace stagelane::workspace
