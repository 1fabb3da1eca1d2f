#pragma once

/// The workspace: where runs go, the lock that lets one run at a time use the machine, and the
/// SQLite index (`stagelane.db`, WAL) of the run folders, which can be rebuilt from them.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/record/run_record.h"

namespace stagelane::workspace {

/// `$STAGELANE_WORKSPACE`, else `$XDG_DATA_HOME/stagelane`, else `~/.local/share/stagelane`.
[[nodiscard]] std::filesystem::path workspaceRoot();

/// `WORKSPACE/runs/YYYYMMDD-HHMMSS-SLUG`, created empty (a suffix -2 … when taken). @errors
/// CannotWrite
[[nodiscard]] Result<std::filesystem::path> newRunFolder(const std::filesystem::path& workspace,
                                                         const std::string& experimentName);

/// Holds `run.lock` (flock) of a workspace while alive; released by the kernel on a kill.
class RunLock {
 public:
  /// @errors CannotWrite: another run holds it (names its pid and folder)
  [[nodiscard]] static Result<std::unique_ptr<RunLock>> take(const std::filesystem::path& workspace,
                                                             const std::string& note);
  RunLock() = default;
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;
  virtual ~RunLock() = default;
  /// The open file that holds the lock. A child that inherits it keeps the workspace locked until
  /// it has ended too.
  [[nodiscard]] virtual int descriptor() const = 0;
};

struct RunEntry {
  std::string folder;
  std::string name;
  std::string status;
  std::string startedAt;  ///< ISO 8601, local
  std::string devices;    ///< comma separated
  std::string bestVariant;
  double bestSpeedup = 0.0;
  int variants = 0;
};

/// The index. @thread one
class RunIndex {
 public:
  /// Makes the database where there is none, and a new one where it is damaged.
  /// @errors CannotWrite
  [[nodiscard]] static Result<std::unique_ptr<RunIndex>> open(
      const std::filesystem::path& workspace);
  RunIndex() = default;
  RunIndex(const RunIndex&) = delete;
  RunIndex& operator=(const RunIndex&) = delete;
  virtual ~RunIndex() = default;
  /// Reads the folder, wherever it is, and stores or replaces its entry. @errors Invalid (no run
  /// folder), CannotWrite
  [[nodiscard]] virtual Status put(const std::filesystem::path& folder) = 0;
  [[nodiscard]] virtual Result<std::vector<RunEntry>> list() = 0;  ///< newest first
  /// Adds folders of the workspace that are new or changed, drops those that are gone.
  [[nodiscard]] virtual Status refresh() = 0;
  /// From the folders alone: those of the workspace, and indexed ones elsewhere that still exist.
  [[nodiscard]] virtual Status rebuild() = 0;
};

}  // namespace stagelane::workspace
