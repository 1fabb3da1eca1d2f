#pragma once

/// The workspace: where runs go, and the lock that lets one run at a time use the machine.

#include <filesystem>
#include <memory>
#include <string>

#include "engine/base/result.h"

namespace stagelane::workspace {

/// `$STAGELANE_WORKSPACE`, else `$XDG_DATA_HOME/stagelane`, else `~/.local/share/stagelane`.
[[nodiscard]] std::filesystem::path workspaceRoot();

/// `WORKSPACE/runs/YYYYMMDD-HHMMSS-SLUG`, created empty (a suffix -2 … when taken). @errors
/// CannotWrite
[[nodiscard]] Result<std::filesystem::path> newRunFolder(const std::filesystem::path& workspace,
                                                         const std::string& experimentName);

/// `PARENT/YYYYMMDD-HHMMSS-SLUG`, in the same way. @errors CannotWrite
[[nodiscard]] Result<std::filesystem::path> newFolder(const std::filesystem::path& parent,
                                                      const std::string& name);

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

}  // namespace stagelane::workspace
