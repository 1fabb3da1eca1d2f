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

/// `WORKSPACE/runs/YYYYMMDD-HHMMSS-SLUG`, created empty (a suffix -2 … when taken). @errors CannotWrite
[[nodiscard]] Result<std::filesystem::path> newRunFolder(const std::filesystem::path& workspace,
                                                         const std::string& experimentName);

/// Holds `run.lock` (flock) of a workspace while alive; released by the kernel on a kill.
class RunLock {
 public:
  /// @errors CannotWrite: another run holds it (names its pid and folder)
  [[nodiscard]] static Result<std::unique_ptr<RunLock>> take(const std::filesystem::path& workspace,
                                                             const std::string& note);
  virtual ~RunLock() = default;
};

struct RunEntry {
  std::string folder;
  std::string name;
  std::string status;
  std::string startedAt;   ///< ISO 8601, local
  std::string devices;     ///< comma separated
  std::string bestVariant;
  double bestSpeedup = 0.0;
  int variants = 0;
};

/// The index. @thread one
class RunIndex {
 public:
  [[nodiscard]] static Result<std::unique_ptr<RunIndex>> open(const std::filesystem::path& workspace);
  virtual ~RunIndex() = default;
  [[nodiscard]] virtual Status put(const std::filesystem::path& folder) = 0;  ///< reads the folder
  [[nodiscard]] virtual Result<std::vector<RunEntry>> list() = 0;             ///< newest first
  [[nodiscard]] virtual Status rebuild() = 0;                                 ///< from the folders
};

}  // namespace stagelane::workspace
