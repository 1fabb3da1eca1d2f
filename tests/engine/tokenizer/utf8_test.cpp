#include "engine/tokenizer/utf8.h"

#include <gtest/gtest.h>

namespace stagelane::tokenizer {
namespace {

std::string stepsOf(std::string_view text) {
  std::string steps;
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Step step = utf8Step(text, at);
    const char kind = step.kind == Utf8Step::Kind::Whole ? 'w'
                      : step.kind == Utf8Step::Kind::Cut ? 'c'
                                                         : 'i';
    steps += kind + std::to_string(step.bytes);
    at += step.bytes;
  }
  return steps;
}

TEST(Utf8, DividesTextIntoCharacters) {
  EXPECT_EQ(stepsOf("a\xC3\xA9\xE2\x96\x81\xF0\x9F\x99\x82"), "w1w2w3w4");
  EXPECT_EQ(stepsOf(std::string_view("\0", 1)), "w1");
}

TEST(Utf8, DividesInvalidBytesAtTheLongestPrefixOfACharacter) {
  EXPECT_EQ(stepsOf("\x80\xBF"), "i1i1");   // continuations alone
  EXPECT_EQ(stepsOf("\xE2\x96 "), "i2w1");  // a blank in a character of three bytes
  EXPECT_EQ(stepsOf("\xC0\x80\xE0\x80\x80"), "i1i1i1i1i1");  // overlong
  EXPECT_EQ(stepsOf("\xED\xA0\x80"), "i1i1i1");              // a surrogate
  EXPECT_EQ(stepsOf("\xF4\x90\x80\x80\xFF"), "i1i1i1i1i1");  // above U+10FFFF
  EXPECT_EQ(stepsOf("\xF0\x9F\x99"), "c3");                  // the fourth byte is missing
}

TEST(Utf8, SaysTheFirstInvalidByte) {
  EXPECT_EQ(firstInvalidUtf8("a\xC3\xA9"), std::nullopt);
  EXPECT_EQ(firstInvalidUtf8("a\xC3\xA9\xC3"), 3U);
  EXPECT_EQ(firstInvalidUtf8("a\xFF"), 1U);
}

TEST(Utf8, WritesCodePointsAsItReadsThem) {
  for (const char32_t point : {U'\0', U'\x7F', U'\x80', U'\x7FF', U'\x800', U'\xFFFD'}) {
    std::string text;
    appendUtf8(text, point);
    EXPECT_EQ(stepsOf(text), "w" + std::to_string(text.size()));
    EXPECT_EQ(codePointOf(text), point);
  }
  EXPECT_EQ(codePointOf("\xF4\x8F\xBF\xBF"), 0x10FFFFU);
}

}  // namespace
}  // namespace stagelane::tokenizer
