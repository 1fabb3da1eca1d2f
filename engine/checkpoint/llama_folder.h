#pragma once

/// A LLaMA in a Hugging Face folder: its configuration, and where each weight is. Everything is
/// checked against each other before a weight is read, so that nothing is half loaded: a weight
/// that is missing or has another shape or an integer type is an error.

#include <filesystem>
#include <string>
#include <vector>

#include "engine/checkpoint/generation_defaults.h"
#include "engine/checkpoint/llama_config.h"
#include "engine/checkpoint/stored_tensor.h"

namespace stagelane::checkpoint {

struct LlamaFolder {
  std::filesystem::path folder;
  LlamaConfig config;
  GenerationDefaults generation;
  /// Those of `llamaTensors(config)`, in its order. Their types may differ from each other and from
  /// `config.type`.
  std::vector<StoredTensor> weights;
  /// Tensors of the files that the model does not use, worth a warning. Without those that are
  /// known to be of no use: saved rotary frequencies, and the output head of a tied model.
  std::vector<std::string> unused;
};

/// The configuration alone, for a plan without weights. @errors Invalid with the file and the key
[[nodiscard]] Result<LlamaConfig> readLlamaConfig(const std::filesystem::path& folder);

/// Opens a folder; see hub_cache.h for the folder of a name.
/// @errors Invalid with the file, and the byte, key or tensor
[[nodiscard]] Result<LlamaFolder> openLlamaFolder(const std::filesystem::path& folder);

}  // namespace stagelane::checkpoint
