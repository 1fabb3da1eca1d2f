#pragma once

/// The effect of one layer on the shape of its input, and its cost.

#include <string>

#include "engine/base/result.h"
#include "engine/model/layer.h"

namespace stagelane::model::detail {

/// "[2, 64, 32, 32]".
[[nodiscard]] std::string shapeText(const Shape& shape);

/// @shape batch first. @errors Invalid, with the layer and both shapes
[[nodiscard]] Result<Shape> outputShape(const Layer& layer, const Shape& input);

/// torch.flatten(x, startDim). @pre startDim < rank of `input`; its element count fits 64 bits
[[nodiscard]] Shape flattened(const Shape& input, std::size_t startDim);

/// Multiply-accumulates of one forward, without the bias. @errors Invalid above 2^63
[[nodiscard]] Result<std::int64_t> multiplyAccumulates(const Layer& layer, const Shape& output);

}  // namespace stagelane::model::detail
