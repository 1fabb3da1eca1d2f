#include "engine/tokenizer/byte_alphabet.h"

#include <gtest/gtest.h>

#include <set>

namespace stagelane::tokenizer {
namespace {

TEST(ByteAlphabet, ShowsBlanksAndControlCharactersAsLetters) {
  EXPECT_EQ(shownBytes("a b\n~"), "aĠbĊ~");
  EXPECT_EQ(shownBytes("é"), "Ã©");
  EXPECT_EQ(shownBytes(std::string_view("\0\x7F\xAD", 3)), "ĀġŃ");
}

TEST(ByteAlphabet, HasACharacterOfItsOwnForEachByte) {
  std::set<std::string> all;
  for (int byte = 0; byte < 256; ++byte) {
    const std::string text(1, static_cast<char>(byte));
    all.insert(shownBytes(text));
    EXPECT_EQ(bytesOfShown(shownBytes(text)), text);
  }
  EXPECT_EQ(all.size(), 256U);
}

TEST(ByteAlphabet, LacksCharactersThatAreNotABytes) {
  EXPECT_EQ(bytesOfShown("a b"), std::nullopt);
  EXPECT_EQ(bytesOfShown("a\u00AD"), std::nullopt);
  EXPECT_EQ(bytesOfShown("\u0144"), std::nullopt);
  EXPECT_EQ(bytesOfShown("日"), std::nullopt);
}

}  // namespace
}  // namespace stagelane::tokenizer
