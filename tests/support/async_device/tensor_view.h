#pragma once

/// A device tensor as a task sees it: memory without ownership. A task that held the tensor itself
/// would keep the memory alive and so hide every missing record_stream.

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/support/async_device/block.h"

namespace stagelane::async_device {

[[nodiscard]] bool isOurs(const at::Tensor& tensor);

struct TensorView {
  explicit TensorView(const at::Tensor& tensor);
  /// A CPU tensor over the same memory. @thread the stream's
  [[nodiscard]] at::Tensor onCpu() const;

  void* data = nullptr;
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> strides;
  at::ScalarType type = at::kFloat;
};

/// The bytes from a tensor's first to its last element.
[[nodiscard]] Access accessOf(const at::Tensor& tensor, AccessKind kind);

}  // namespace stagelane::async_device
