#include "engine/base/csv.h"

#include <gtest/gtest.h>

namespace stagelane {
namespace {

TEST(CsvField, IsQuotedWhereItMustBe) {
  EXPECT_EQ(csvField("plain text"), "plain text");
  EXPECT_EQ(csvField(""), "");
  EXPECT_EQ(csvField("a,b"), "\"a,b\"");
  EXPECT_EQ(csvField("say \"no\""), "\"say \"\"no\"\"\"");
  EXPECT_EQ(csvField("two\r\nlines"), "\"two\r\nlines\"");
}

TEST(CsvField, TextThatASpreadsheetWouldRunIsGuarded) {
  EXPECT_EQ(csvField("=1+2"), "'=1+2");
  EXPECT_EQ(csvField("+x"), "'+x");
  EXPECT_EQ(csvField("-x"), "'-x");
  EXPECT_EQ(csvField("@x"), "'@x");
  EXPECT_EQ(csvField("\t=x"), "'\t=x");
  EXPECT_EQ(csvField("\r=x"), "\"'\r=x\"");
  EXPECT_EQ(csvField("=HYPERLINK(\"u\",\"n\")"), "\"'=HYPERLINK(\"\"u\"\",\"\"n\"\")\"");
  EXPECT_EQ(csvField("a=1"), "a=1");
}

TEST(CsvField, TheFirstApostropheIsAlwaysOneToRemove) {
  EXPECT_EQ(csvField("'=x"), "''=x");
  EXPECT_EQ(csvField("'"), "''");
  EXPECT_EQ(csvField("it's"), "it's");
}

}  // namespace
}  // namespace stagelane
