#pragma once

/// The arguments of an operator's call between the call and the task: tensors of the device are
/// views, CPU tensors (scalars) are copied at the call, generators are seeds. In the task they
/// become arguments of the CPU's operator.

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <vector>

#include "tests/support/async_device/tensor_view.h"

namespace stagelane::async_device {

class Argument {
 public:
  /// Any value of a schema that is not a generator.
  explicit Argument(const c10::IValue& value);
  /// A generator.
  static Argument random(std::uint64_t seed);

  [[nodiscard]] c10::IValue onCpu() const;
  /// The same with zeros of its own for each device tensor.
  [[nodiscard]] Argument rehearsal() const;
  /// All that decides the shapes of outputs.
  void describe(std::ostream& to) const;
  /// Whether `given` has still the size of this argument, if that is one device tensor.
  [[nodiscard]] bool keepsSize(const c10::IValue& given) const;

 private:
  enum class Kind { Plain, Tensor, List, OptionalList, Random };

  Argument() = default;
  void add(const at::Tensor& tensor);
  [[nodiscard]] at::Tensor tensor(std::size_t i) const;

  Kind m_kind = Kind::Plain;
  c10::IValue m_plain;
  /// One of the two for each tensor.
  std::vector<std::optional<TensorView>> m_views;
  std::vector<at::Tensor> m_others;
  std::uint64_t m_seed = 0;
};

/// Puts the CPU's arguments on the stack.
void pushOnCpu(const std::vector<Argument>& arguments, torch::jit::Stack& stack);

}  // namespace stagelane::async_device
