#include "engine/base/visible_text.h"

#include <gtest/gtest.h>

namespace stagelane {
namespace {

TEST(VisibleText, PlainTextOfEveryScriptStaysAsItIs) {
  for (const char* text : {"", "3 ± 1 µs", "a\"b'c", "層 1", "\U0001F600", "\u00A0|"}) {
    EXPECT_EQ(visible(text), text);
    EXPECT_EQ(visibleLines(text), text);
  }
}

TEST(VisibleText, ControlCharactersBecomeTheirSymbols) {
  EXPECT_EQ(visible("a\033[31mb"), "a␛[31mb");
  EXPECT_EQ(visible(std::string_view("\0\x1f\x7f", 3)), "␀␟␡");
  EXPECT_EQ(visible("a\r\nb\tc"), "a␍␊b␉c");
  // Control sequence introducer as one character of UTF-8, and the last one of its block.
  EXPECT_EQ(visible("\xc2\x9b"
                    "31m|\xc2\x9f"),
            "\uFFFD31m|\uFFFD");
}

/// They would turn the rest of a line around, or break it.
TEST(VisibleText, HiddenMarksAreReplaced) {
  for (const char* mark :
       {"\u061C", "\u200E", "\u200F", "\u2028", "\u2029", "\u202A", "\u202E", "\u2066", "\u2069"}) {
    EXPECT_EQ(visible(std::string("a") + mark + "b"), "a\uFFFDb");
  }
  EXPECT_EQ(visible("\u2010\u2027\u202F\u2065\u206A"), "\u2010\u2027\u202F\u2065\u206A");
}

TEST(VisibleText, TextOfLinesKeepsItsBreaksAndTabsOnly) {
  EXPECT_EQ(visibleLines("a\n\tb\r\033]0;x\a\n"), "a\n\tb␍␛]0;x␇\n");
}

TEST(VisibleText, WhatIsNotUtf8IsReplacedByteByByte) {
  EXPECT_EQ(visible("a\xc3 b"), "a\uFFFD b");
  EXPECT_EQ(visible("\x9b"
                    "31m"),
            "\uFFFD31m")
      << "an escape code of Latin-1";
  EXPECT_EQ(visible("\xc0\x9b"), "\uFFFD\uFFFD") << "a longer form than needed";
  EXPECT_EQ(visible("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD") << "a surrogate";
  EXPECT_EQ(visible("\xf4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD") << "above U+10FFFF";
  EXPECT_EQ(visible("x\xe2\x90"), "x\uFFFD\uFFFD") << "cut";
}

}  // namespace
}  // namespace stagelane
