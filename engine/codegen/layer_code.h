#pragma once

/// One layer as the Python expression that constructs it.

#include "engine/codegen/python_code.h"
#include "engine/model/layer.h"

namespace stagelane::codegen::detail {

/// `nn.Conv2d(3, 64, 7, stride=2, padding=3, bias=False)`: without PyTorch's defaults.
[[nodiscard]] Expression layerCode(const model::LayerSpec& spec);

}  // namespace stagelane::codegen::detail
