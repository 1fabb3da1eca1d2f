#include "app/terminal/console.h"

#include <gtest/gtest.h>

namespace stagelane::app {
namespace {

std::string printed(const Error& error) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(printError(error), static_cast<int>(error.code));
  return testing::internal::GetCapturedStderr();
}

TEST(Console, AnErrorSaysWhatWhereAndWhatToDo) {
  EXPECT_EQ(printed({ErrorCode::Invalid, "no such key", "/variants/0", "write strategy"}),
            "stagelane: error: no such key (at /variants/0)\n  write strategy\n");
  EXPECT_EQ(printed({ErrorCode::Usage, "no such command", "", ""}),
            "stagelane: error: no such command\n");
}

TEST(Console, APlaceThatTheMessageNamesIsNotSaidTwice) {
  EXPECT_EQ(printed({ErrorCode::Invalid, "cannot read /a/b", "/a/b", ""}),
            "stagelane: error: cannot read /a/b\n");
}

TEST(Console, QuotedBytesNeitherBreakTheTextNorCommandTheTerminal) {
  EXPECT_EQ(printed({ErrorCode::Invalid, "a\xc3 b\033[31m", "", ""}),
            "stagelane: error: a\uFFFD b␛[31m\n");
  EXPECT_EQ(printed({ErrorCode::Invalid, "no such file", "/a\nb", "write\none"}),
            "stagelane: error: no such file (at /a␊b)\n  write\n  one\n");
  testing::internal::CaptureStderr();
  printWarning("x\nstagelane: error: forged\a");
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "stagelane: warning: x␊stagelane: error: forged␇\n");
}

TEST(Console, ACellIsOneLineOfSymbolsAndColumnsStillLineUp) {
  EXPECT_EQ(formatTable({{"a\nb", "x"}, {"\033[1mlong", "y"}}), "a␊b       x\n␛[1mlong  y\n");
}

TEST(Console, TextKeepsItsLinesAndJsonEveryCharacter) {
  testing::internal::CaptureStdout();
  EXPECT_EQ(printText("a\tb\n\033[31m\n"), 0);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "a\tb\n␛[31m\n");
  testing::internal::CaptureStdout();
  const Json document{{"name", "\033\n\x7f\xc2\x9b"}};
  EXPECT_EQ(printJson(document), 0);
  EXPECT_EQ(Json::parse(testing::internal::GetCapturedStdout()), document);
}

TEST(Console, ColumnsLineUpWhereCellsHoldMoreBytesThanCharacters) {
  EXPECT_EQ(formatTable({{"a", "b", "c"}, {"3 ± 1", "1×", "x"}, {"", "long", ""}}),
            "a      b     c\n3 ± 1  1×    x\n       long\n");
}

TEST(Console, ATableMayHaveNoRowsAndRowsOfDifferentLength) {
  EXPECT_EQ(formatTable({}), "");
  EXPECT_EQ(formatTable({{"a"}, {"bb", "c"}}), "a\nbb  c\n");
}

TEST(Console, OneDocumentIsPrintedAndEndsWithALine) {
  testing::internal::CaptureStdout();
  EXPECT_EQ(printJson({{"a", 1}}), 0);
  const std::string text = testing::internal::GetCapturedStdout();
  EXPECT_EQ(Json::parse(text), (Json{{"a", 1}}));
  EXPECT_EQ(text.back(), '\n');
}

}  // namespace
}  // namespace stagelane::app
