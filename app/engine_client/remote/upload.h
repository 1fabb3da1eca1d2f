#pragma once

/// The files that a host needs to start a run, gathered in a folder that is complete by itself.

#include <filesystem>

#include "engine/base/result.h"

namespace stagelane::app {

/// Files of this machine; "" for none.
struct UploadFiles {
  std::filesystem::path experiment;
  std::filesystem::path plan;
  std::filesystem::path costs;
};

/// Writes `experiment.json`, `plan.json` and `costs.json` into the new folder. A model file becomes
/// part of the experiment, and schedules are copied beside it.
/// @errors Invalid: a file cannot be read; CannotWrite
[[nodiscard]] Status gatherUpload(const UploadFiles& files, const std::filesystem::path& folder);

/// Until the run folder is copied back, the run is known by what was sent: copies it from
/// `work`/in to `runFolder` (empty: nowhere), and removes `work`.
void keepUpload(const std::filesystem::path& work, const std::filesystem::path& runFolder);

}  // namespace stagelane::app
