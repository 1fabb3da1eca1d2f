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

}  // namespace
}  // namespace stagelane
