#pragma once

/// Whether a folder is one of a run, by the files that lie in it and without reading them. Private
/// to engine/workspace.

#include <filesystem>
#include <string>

namespace stagelane::workspace {

struct FolderState {
  enum class Kind { Run, NoRun, Unreadable };
  Kind kind;
  std::string why{};  ///< it is unreadable
};

/// Unreadable where the system refuses what would say more, or all.
[[nodiscard]] FolderState stateOf(const std::filesystem::path& folder);

}  // namespace stagelane::workspace
