#include "ui/session/document/split_sizes.h"

#include <gtest/gtest.h>

namespace stagelane::ui {
namespace {

TEST(SplitFromText, IsOneNumberOrTheListOfASweep) {
  EXPECT_EQ(splitFromText(QStringLiteral(" 8 "), 32), Json(8));
  EXPECT_EQ(splitFromText(QStringLiteral("16, 8; 4"), 32), Json::array({16, 8, 4}));
}

TEST(SplitFromText, TakesASizeThatIsSaidTwiceOnce) {
  EXPECT_EQ(splitFromText(QStringLiteral("16, 8, 8, 32"), 32), Json::array({16, 8, 32}));
  EXPECT_EQ(splitFromText(QStringLiteral("4,4"), 32), Json(4));
}

TEST(SplitFromText, RefusesWhatCutsNoBatch) {
  for (const char* text : {"", "x", "0", "40", "8, 40"}) {
    EXPECT_FALSE(splitFromText(QString::fromLatin1(text), 32)) << text;
  }
}

}  // namespace
}  // namespace stagelane::ui
