#pragma once

/// Reads run folders for the index, without the database: another program may want to add its run
/// meanwhile. Private to engine/workspace.

#include <filesystem>
#include <string>
#include <vector>

#include "engine/workspace/indexed_run.h"

namespace stagelane::workspace {

struct FolderReading {
  std::vector<IndexedRun> runs;
  std::vector<std::string> noRuns;  ///< these have no place in the index
  UnreadableFolders damaged;
  bool stopped = false;
};

/// In the order of the folders' own names, which begin with the time: new runs get their numbers in
/// the order they were made.
[[nodiscard]] FolderReading readFolders(std::vector<std::string> folders,
                                        const IndexProgress& progress);

[[nodiscard]] IndexedRun indexedRunOf(const record::RunResult& run);

/// Run folders below `runs`. Those that cannot be read are added to `unreadable`.
[[nodiscard]] std::vector<std::string> runFoldersIn(const std::filesystem::path& runs,
                                                    UnreadableFolders& unreadable);

/// Whether a run lies in the folder; one that cannot be read is added to `unreadable`.
[[nodiscard]] bool holdsRun(const std::string& folder, UnreadableFolders& unreadable);

/// As the index names folders: absolute, without a slash at its end.
[[nodiscard]] std::string fullPath(const std::filesystem::path& folder);

}  // namespace stagelane::workspace
