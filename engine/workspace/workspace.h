#pragma once

/// The workspace: location of the runs, and the lock that allows one run at a time.

#include <filesystem>
#include <memory>
#include <string>

#include "engine/base/result.h"

namespace stagelane::workspace {

/// `$STAGELANE_WORKSPACE`, else `$XDG_DATA_HOME/stagelane`, else `~/.local/share/stagelane`.
[[nodiscard]] std::filesystem::path workspaceRoot();

/// Creates the empty folder `WORKSPACE/runs/YYYYMMDD-HHMMSS-SLUG` (a suffix -2 … if taken). @errors
/// CannotWrite
[[nodiscard]] Result<std::filesystem::path> newRunFolder(const std::filesystem::path& workspace,
                                                         const std::string& experimentName);

/// Creates `PARENT/YYYYMMDD-HHMMSS-SLUG` in the same way. @errors CannotWrite
[[nodiscard]] Result<std::filesystem::path> newFolder(const std::filesystem::path& parent,
                                                      const std::string& name);

/// Holds `run.lock` (flock) of a workspace while alive; the kernel releases it on a kill.
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
  /// it ends too.
  [[nodiscard]] virtual int descriptor() const = 0;
};

}  // namespace stagelane::workspace
