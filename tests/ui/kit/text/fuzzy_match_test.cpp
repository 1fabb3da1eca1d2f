#include "ui/kit/text/fuzzy_match.h"

#include <gtest/gtest.h>

namespace stagelane::ui {
namespace {

int scoreOf(const char* query, const char* text) {
  const auto match = fuzzyMatch(QString::fromLatin1(query), QString::fromLatin1(text));
  return match ? match->score : -1;
}

TEST(FuzzyMatch, FindsLettersInTheirOrderWhateverLiesBetween) {
  EXPECT_GE(scoreOf("rtiv", "Run the included variants"), 0);
  EXPECT_EQ(scoreOf("vitr", "Run the included variants"), -1);
  EXPECT_EQ(scoreOf("x", ""), -1);
  EXPECT_EQ(scoreOf("", "anything"), 0);
}

TEST(FuzzyMatch, PrefersBeginningsOfWordsAndLettersThatStandTogether) {
  EXPECT_GT(scoreOf("sa", "Save as"), scoreOf("sa", "Close all"));
  EXPECT_GT(scoreOf("und", "Undo"), scoreOf("und", "Run the included"));
  EXPECT_GT(scoreOf("rtv", "Run this variant"), scoreOf("rtv", "Restore the move"));
}

TEST(FuzzyMatch, TakesWordsInAnyOrder) {
  EXPECT_GE(scoreOf("dark switch", "Switch between light and dark"), 0);
  EXPECT_EQ(scoreOf("dark green", "Switch between light and dark"), -1);
}

TEST(FuzzyMatch, SaysWhichLettersItMatched) {
  const auto match = fuzzyMatch(u"sav", u"Save as…");
  ASSERT_TRUE(match.has_value());
  EXPECT_EQ(match->places, (QList<qsizetype>{0, 1, 2}));
}

}  // namespace
}  // namespace stagelane::ui
