#pragma once

/// torchvision's residual networks (`torchvision/models/resnet.py`) as data, with its names,
/// registration order and execution order.

#include <array>
#include <cstdint>

#include "engine/model/model.h"

namespace stagelane::model::detail {

enum class ResidualKind {
  Basic,       ///< BasicBlock: two 3×3 convolutions
  Bottleneck,  ///< Bottleneck: 1×1, 3×3, 1×1, four times as wide at the end
};

struct ResNetForm {
  ResidualKind kind = ResidualKind::Basic;
  std::array<int, 4> depths{};  ///< residual blocks of layer1 … layer4
};

/// Fills root, layers and blocks. @pre classes ≥ 1 and `model` is empty
void buildResNet(Model& model, const ResNetForm& form, std::int64_t classes);

}  // namespace stagelane::model::detail
