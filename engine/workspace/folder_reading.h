#pragma once

/// Reads run folders for the index without locking the database, so that other programs can add
/// runs meanwhile. Private to engine/workspace.

#include <filesystem>
#include <string>
#include <vector>

#include "engine/workspace/indexed_run.h"

namespace stagelane::workspace {

struct FolderReading {
  std::vector<IndexedRun> runs;
  std::vector<std::string> noRuns;  ///< folders that are not runs
  UnreadableFolders damaged;
  bool stopped = false;
};

/// Reads in order of the folder names, which begin with the time, so that numbers follow age.
/// `runs` holds the workspace's own folders, which may be brought up to date.
[[nodiscard]] FolderReading readFolders(std::vector<std::string> folders,
                                        const std::filesystem::path& runs,
                                        const IndexProgress& progress);

[[nodiscard]] IndexedRun indexedRunOf(const record::RunResult& run);

/// Run folders below `runs`. Unreadable ones are added to `unreadable`.
[[nodiscard]] std::vector<std::string> runFoldersIn(const std::filesystem::path& runs,
                                                    UnreadableFolders& unreadable);

/// Whether the folder contains a run; an unreadable one is added to `unreadable`.
[[nodiscard]] bool holdsRun(const std::string& folder, UnreadableFolders& unreadable);

/// Canonical form of folders in the index: absolute, without a trailing slash.
[[nodiscard]] std::string fullPath(const std::filesystem::path& folder);

}  // namespace stagelane::workspace
