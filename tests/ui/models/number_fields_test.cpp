#include "ui/models/number_fields.h"

#include <gtest/gtest.h>

namespace stagelane::ui {
namespace {

TEST(NumberFields, TakeNumbersWithinTheirRange) {
  EXPECT_EQ(*numberFromText({}, QStringLiteral(" 0.5 "), 0.0, 1.0), 0.5);
  EXPECT_EQ(*numberFromText({}, QStringLiteral("1e-3"), 0.0, 1e6), 1e-3);
  EXPECT_EQ(*numberFromText({}, QStringLiteral("1"), 0.0, 1.0), 1.0);
}

TEST(NumberFields, RefuseWhatAFileCouldNotHold) {
  for (const char* text : {"nan", "NaN", "inf", "-inf", "1e999", "abc", "", "2", "-0.1"}) {
    const auto read =
        numberFromText(QStringLiteral("Momentum"), QString::fromLatin1(text), 0.0, 1.0);
    ASSERT_FALSE(read) << text;
    EXPECT_NE(read.error().message.find("Momentum"), std::string::npos);
  }
}

}  // namespace
}  // namespace stagelane::ui
