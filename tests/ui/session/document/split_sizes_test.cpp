#include "ui/session/document/split_sizes.h"

#include <gtest/gtest.h>

#include "tests/support/marked_texts.h"
#include "ui/kit/text/formatting.h"

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

TEST(SplitFromText, SaysWhatIsWrongInTheLanguageOfTheWindow) {
  const test::MarkedTexts marked;
  const auto problemOf = [](const char* text) {
    return errorText(splitFromText(QString::fromLatin1(text), 32).error()).toStdString();
  };
  const std::string how = ". ⟦Enter a number of samples, or several for a sweep: 4, 8, 16⟧";
  EXPECT_EQ(problemOf("x"), "⟦\"x\" is not a split size⟧" + how);
  EXPECT_EQ(problemOf("40"), "⟦split size 40 is outside the batch of 32⟧. ⟦Enter 1 to 32⟧");
  EXPECT_EQ(problemOf(""), "⟦the split size is missing⟧" + how);
}

}  // namespace
}  // namespace stagelane::ui
