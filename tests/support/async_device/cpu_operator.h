#pragma once

/// Runs a CPU operator for a task or a rehearsal.

#include <ATen/core/stack.h>

#include <functional>
#include <string>
#include <vector>

#include "tests/support/async_device/arguments.h"

namespace stagelane::async_device {

/// Takes its arguments from the stack and leaves its results there.
using CpuOperator = std::function<void(torch::jit::Stack*)>;

/// The results of the operator, without autograd and autocast. Throws what the operator throws, and
/// if it resized a device tensor: only its view would have got the new size.
[[nodiscard]] torch::jit::Stack runOnCpu(const CpuOperator& cpu,
                                         const std::vector<Argument>& arguments);

/// What one output looks like.
struct OutputShape {
  bool defined = false;
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> strides;
  at::ScalarType type = at::kFloat;
};
/// By output of the operator; an output that is a list has several.
using OutputShapes = std::vector<std::vector<OutputShape>>;

/// The shapes of new outputs. The CPU operator tries it on zeros, once for each `key`: half of the
/// meta kernels that would say it exist in Python only, and strides would not always be the CPU's.
/// `draws`: the operator takes random numbers.
[[nodiscard]] OutputShapes outputShapes(const std::string& key, bool draws, const CpuOperator& cpu,
                                        const std::vector<Argument>& arguments);

}  // namespace stagelane::async_device
