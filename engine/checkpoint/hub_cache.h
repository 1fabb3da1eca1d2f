#pragma once

/// Finds the folder of a model that an experiment names: a folder, or the name of a model on the
/// Hugging Face Hub that is in the local cache. Downloads nothing and opens no connection.

#include <filesystem>
#include <functional>
#include <string>

#include "engine/base/result.h"

namespace stagelane::checkpoint {

/// The value of an environment variable, "" if it is not set.
using Environment = std::function<std::string(const char* name)>;

/// The environment of this process.
[[nodiscard]] std::string processEnvironment(const char* name);

/// Where Hugging Face's programs keep downloaded models: `HF_HUB_CACHE`, `HUGGINGFACE_HUB_CACHE`,
/// `hub` in `HF_HOME`, or `~/.cache/huggingface/hub` (`XDG_CACHE_HOME` instead of `~/.cache`); the
/// first that is set.
/// @source huggingface_hub 1.x, "Environment variables"
[[nodiscard]] std::filesystem::path hubCacheFolder(const Environment& environment);

/// The folder of `name`: a folder relative to `baseFolder`, or the snapshot of the revision `main`
/// of a model in the cache (`org/model`, or `model`).
/// @errors Invalid with all folders that were tried, or with what is wrong in the cache
[[nodiscard]] Result<std::filesystem::path> locateModel(
    const std::string& name, const std::filesystem::path& baseFolder,
    const Environment& environment = processEnvironment);

}  // namespace stagelane::checkpoint
