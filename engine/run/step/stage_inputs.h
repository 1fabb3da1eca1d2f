#pragma once

/// Boundary tensors as the inputs of a stage's graph. Their gradients are taken as the graph passes
/// them on, with the same strides: a leaf's `.grad()` has the strides of the leaf, and operators
/// choose their kernels by the strides of a gradient, so the previous stage would compute other
/// last bits than a graph that is not cut.

#include <ATen/core/Tensor.h>

#include <vector>

namespace stagelane::run {

/// Detached from their graph, and differentiable where they are of floating point.
[[nodiscard]] std::vector<at::Tensor> asInputs(std::vector<at::Tensor> received);

/// Those with a gradient.
[[nodiscard]] std::vector<at::Tensor> differentiable(const std::vector<at::Tensor>& inputs);

/// The gradient that a backward pass found for one of asInputs(), once; undefined if none.
[[nodiscard]] at::Tensor takeGradient(const at::Tensor& input);

}  // namespace stagelane::run
