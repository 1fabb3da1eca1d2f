#pragma once

/// Copies between devices and the host, by the rules of LibTorch's for CUDA
/// (ATen/native/cuda/Copy.cu): which stream copies, what waits, what is staged.

#include <ATen/core/Tensor.h>

namespace stagelane::async_device {

/// Copies `self` to `target`; at least one of them is on a device.
at::Tensor copyFrom(const at::Tensor& self, const at::Tensor& target, bool nonBlocking);

}  // namespace stagelane::async_device
