#include "engine/checkpoint/element_type.h"

#include <gtest/gtest.h>

namespace stagelane::checkpoint {
namespace {

TEST(ElementType, WordsLeadBackToTheirTypes) {
  for (int i = 0; i <= static_cast<int>(ElementType::U64); ++i) {
    const auto type = static_cast<ElementType>(i);
    EXPECT_EQ(elementTypeFromWord(word(type)), type);
    EXPECT_GT(bitsOf(type), 0);
  }
  EXPECT_FALSE(elementTypeFromWord("f32"));
  EXPECT_FALSE(elementTypeFromWord(""));
}

TEST(ElementType, OnlyFloatsOfSixteenBitsOrMoreHoldWeights) {
  EXPECT_EQ(elementTypeFromTorchName("bfloat16"), ElementType::BF16);
  EXPECT_EQ(elementTypeFromTorchName("float64"), ElementType::F64);
  EXPECT_FALSE(elementTypeFromTorchName("int32"));
  EXPECT_FALSE(elementTypeFromTorchName(""));
  EXPECT_TRUE(holdsWeights(ElementType::F16));
  EXPECT_FALSE(holdsWeights(ElementType::F8E4M3));
  EXPECT_FALSE(holdsWeights(ElementType::C64));
}

}  // namespace
}  // namespace stagelane::checkpoint
