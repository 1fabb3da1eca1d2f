#pragma once

/// The element types that a safetensors header can name. All of them are read, so that a file with
/// other tensors beside the weights is described in full; weights are floating point.

#include <optional>
#include <string_view>

namespace stagelane::checkpoint {

/// @source safetensors 0.8, `Dtype`
enum class ElementType {
  Bool,
  F4,
  F6E2M3,
  F6E3M2,
  U8,
  I8,
  F8E5M2,
  F8E4M3,
  F8E8M0,
  F8E4M3Fnuz,
  F8E5M2Fnuz,
  I16,
  U16,
  F16,
  BF16,
  I32,
  U32,
  F32,
  C64,
  F64,
  I64,
  U64,
};

/// `F32`, `BF16`, … as in a header.
[[nodiscard]] std::string_view word(ElementType type);
[[nodiscard]] std::optional<ElementType> elementTypeFromWord(std::string_view text);
/// Of `float32`, `bfloat16`, …: PyTorch's names of the types that `holdsWeights` accepts.
[[nodiscard]] std::optional<ElementType> elementTypeFromTorchName(std::string_view name);
/// Bits of one element; fewer than 8 for F4 and F6.
[[nodiscard]] int bitsOf(ElementType type);
/// Whether a weight can have this type: F16, BF16, F32, F64.
[[nodiscard]] bool holdsWeights(ElementType type);

}  // namespace stagelane::checkpoint
