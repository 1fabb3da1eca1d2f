#pragma once

/// All tensors of a Hugging Face folder: of one file, or of the shards that an index lists. Checks
/// every header, and the index against them, before it returns; reads no tensor.

#include <filesystem>
#include <string_view>
#include <vector>

#include "engine/checkpoint/stored_tensor.h"

namespace stagelane::checkpoint {

struct Checkpoint {
  std::filesystem::path folder;
  std::vector<StoredTensor> tensors;  ///< by name

  /// Null if there is none of this name.
  [[nodiscard]] const StoredTensor* find(std::string_view name) const;
};

/// Opens model.safetensors, or without it the shards of model.safetensors.index.json. Shards are
/// files directly in the folder. An index has to name each tensor of its shards, in the right one.
/// @errors Invalid with the file, and the byte, key or tensor
[[nodiscard]] Result<Checkpoint> openCheckpoint(const std::filesystem::path& folder);

}  // namespace stagelane::checkpoint
