#pragma once

/// A tensor in an open file: all that is needed to read it, by whatever library computes with it.

#include <cstdint>
#include <string>
#include <vector>

#include "engine/checkpoint/element_type.h"
#include "engine/checkpoint/weight_file.h"

namespace stagelane::checkpoint {

struct StoredTensor {
  std::string name;  ///< as in the file: `model.layers.0.mlp.up_proj.weight`
  ElementType type = ElementType::F32;
  std::vector<std::int64_t> shape;  ///< row-major, without gaps
  WeightFilePtr file;
  Bytes offset = 0;  ///< from the start of the file; nothing aligns it
  Bytes bytes = 0;
};

}  // namespace stagelane::checkpoint
