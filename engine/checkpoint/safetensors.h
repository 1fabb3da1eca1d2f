#pragma once

/// Opens a safetensors file and checks its header. Reads no tensor.

#include <filesystem>
#include <vector>

#include "engine/checkpoint/stored_tensor.h"

namespace stagelane::checkpoint {

/// The tensors of a file, in the order of their data.
/// @errors Invalid with the file, and the byte or the tensor
[[nodiscard]] Result<std::vector<StoredTensor>> openSafetensors(const std::filesystem::path& path);

}  // namespace stagelane::checkpoint
