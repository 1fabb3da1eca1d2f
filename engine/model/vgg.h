#pragma once

/// torchvision's VGG-16 (`torchvision/models/vgg.py`) as data.

#include <cstdint>

#include "engine/model/model.h"

namespace stagelane::model::detail {

/// Fills root, layers and blocks. Every leaf is a block; the flatten belongs to `classifier.0`.
/// @pre classes ≥ 1, 0 ≤ dropout < 1, and `model` is empty
void buildVgg16(Model& model, std::int64_t classes, double dropout);

}  // namespace stagelane::model::detail
