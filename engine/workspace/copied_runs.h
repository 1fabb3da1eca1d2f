#pragma once

/// Recognizes the runs of a copied or moved workspace, whose database still has the old folder
/// paths. Pure. Private to engine/workspace.

#include <filesystem>
#include <string>
#include <vector>

#include "engine/workspace/indexed_run.h"

namespace stagelane::workspace {

/// Gives runs in the folder `runs` the numbers of the same runs in `elsewhere`, unless they are in
/// `known`, and removes those of `elsewhere` from `read`. Two runs are the same if their folder
/// names and measurements are equal.
/// @param elsewhere runs outside `runs`, with their numbers; the later of two folders with one name
/// applies
/// @returns the folders elsewhere whose rows are replaced
[[nodiscard]] std::vector<std::string> takeOverNumbers(std::vector<IndexedRun>& read,
                                                       const std::vector<RunEntry>& elsewhere,
                                                       const KnownRuns& known,
                                                       const std::filesystem::path& runs);

}  // namespace stagelane::workspace
