#pragma once

/// The runs on other hosts that were left, or are being followed by another program.

#include <filesystem>
#include <string>
#include <vector>

namespace stagelane::app {

struct OpenRun {
  std::filesystem::path folder;
  std::string host;
  bool isFollowed = false;  ///< by a program that is running
};

/// Those in the workspace's runs, oldest first. Reads one small file for each run folder.
/// @thread any
[[nodiscard]] std::vector<OpenRun> openRemoteRuns(const std::filesystem::path& workspace);

}  // namespace stagelane::app
