#pragma once

/// The runs of a workspace that was copied or moved: its database knows them by the folders they
/// had before. Pure. Private to engine/workspace.

#include <filesystem>
#include <string>
#include <vector>

#include "engine/workspace/indexed_run.h"

namespace stagelane::workspace {

/// Gives runs of the folder `runs` the numbers that the same runs have in `elsewhere`, where they
/// are not in `known` yet, and leaves the runs found there out of `read`. A run is the same where
/// its folder's own name and what was measured are.
/// @param elsewhere runs outside `runs`, with their numbers; of two folders of one name the later
/// @returns the folders elsewhere whose rows are replaced by those here
[[nodiscard]] std::vector<std::string> takeOverNumbers(std::vector<IndexedRun>& read,
                                                       const std::vector<RunEntry>& elsewhere,
                                                       const KnownRuns& known,
                                                       const std::filesystem::path& runs);

}  // namespace stagelane::workspace
