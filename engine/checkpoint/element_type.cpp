#include "engine/checkpoint/element_type.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace stagelane::checkpoint {
namespace {

struct Row {
  ElementType type;
  std::string_view word;
  int bits;
  std::string_view torchName;  ///< "" if it does not hold weights
};

constexpr std::array kRows{
    Row{ElementType::Bool, "BOOL", 8, ""},
    Row{ElementType::F4, "F4", 4, ""},
    Row{ElementType::F6E2M3, "F6_E2M3", 6, ""},
    Row{ElementType::F6E3M2, "F6_E3M2", 6, ""},
    Row{ElementType::U8, "U8", 8, ""},
    Row{ElementType::I8, "I8", 8, ""},
    Row{ElementType::F8E5M2, "F8_E5M2", 8, ""},
    Row{ElementType::F8E4M3, "F8_E4M3", 8, ""},
    Row{ElementType::F8E8M0, "F8_E8M0", 8, ""},
    Row{ElementType::F8E4M3Fnuz, "F8_E4M3FNUZ", 8, ""},
    Row{ElementType::F8E5M2Fnuz, "F8_E5M2FNUZ", 8, ""},
    Row{ElementType::I16, "I16", 16, ""},
    Row{ElementType::U16, "U16", 16, ""},
    Row{ElementType::F16, "F16", 16, "float16"},
    Row{ElementType::BF16, "BF16", 16, "bfloat16"},
    Row{ElementType::I32, "I32", 32, ""},
    Row{ElementType::U32, "U32", 32, ""},
    Row{ElementType::F32, "F32", 32, "float32"},
    Row{ElementType::C64, "C64", 64, ""},
    Row{ElementType::F64, "F64", 64, "float64"},
    Row{ElementType::I64, "I64", 64, ""},
    Row{ElementType::U64, "U64", 64, ""},
};

constexpr bool areInOrder() {
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (kRows[i].type != static_cast<ElementType>(i)) return false;
  }
  return true;
}
static_assert(areInOrder(), "rows are in the order of the enumerators");

const Row& rowOf(ElementType type) { return kRows.at(static_cast<std::size_t>(type)); }

std::optional<ElementType> typeWhere(std::string_view Row::*member, std::string_view text) {
  const auto* row = std::find_if(kRows.begin(), kRows.end(),
                                 [&](const Row& each) { return each.*member == text; });
  if (row == kRows.end() || text.empty()) return std::nullopt;
  return row->type;
}

}  // namespace

std::string_view word(ElementType type) { return rowOf(type).word; }

std::optional<ElementType> elementTypeFromWord(std::string_view text) {
  return typeWhere(&Row::word, text);
}

std::optional<ElementType> elementTypeFromTorchName(std::string_view name) {
  return typeWhere(&Row::torchName, name);
}

int bitsOf(ElementType type) { return rowOf(type).bits; }

bool holdsWeights(ElementType type) { return !rowOf(type).torchName.empty(); }

}  // namespace stagelane::checkpoint
