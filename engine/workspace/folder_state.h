#pragma once

/// Determines from the files of a folder, without reading them, whether it is a run folder. Private
/// to engine/workspace.

#include <filesystem>
#include <string>

namespace stagelane::workspace {

struct FolderState {
  enum class Kind { Run, NoRun, Unreadable };
  Kind kind;
  std::string why{};  ///< reason if it is unreadable
};

/// Unreadable if the system denies access to the folder or to the relevant files.
[[nodiscard]] FolderState stateOf(const std::filesystem::path& folder);

}  // namespace stagelane::workspace
