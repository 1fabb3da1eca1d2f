#include "ui/plan/variants/tab_layout.h"

#include <gtest/gtest.h>

namespace stagelane::ui {
namespace {

constexpr QSize kBar{600, 36};

TabLayout placed(const std::vector<int>& widths, int current) {
  TabLayout layout;
  layout.place(kBar, widths, current);
  return layout;
}

TEST(TabLayout, TabsThatFitStandSideBySideWithTheirBoxesAndPlusBehind) {
  const TabLayout layout = placed({100, 150}, 1);
  EXPECT_FALSE(layout.overflows());
  EXPECT_EQ(layout.places()[0].tab, QRect(0, 0, 100, 36));
  EXPECT_EQ(layout.places()[1].tab, QRect(100, 0, 150, 36));
  EXPECT_EQ(layout.places()[1].check, QRect(112, 11, 14, 14));
  EXPECT_TRUE(layout.places()[0].menu.isEmpty());
  EXPECT_TRUE(layout.places()[1].tab.contains(layout.places()[1].menu));
  EXPECT_EQ(layout.add().left(), 254);
  EXPECT_TRUE(layout.before().isEmpty());
  EXPECT_TRUE(layout.after().isEmpty());
}

TEST(TabLayout, OfManyTabsTheCurrentOneIsInSightAndPlusStaysInTheWindow) {
  for (int current = 0; current < 6; ++current) {
    const TabLayout layout = placed({120, 120, 120, 120, 120, 120}, current);
    ASSERT_TRUE(layout.overflows());
    const QRect tab = layout.places()[static_cast<std::size_t>(current)].tab;
    EXPECT_GE(tab.left(), 0) << current;
    EXPECT_LE(tab.left() + tab.width(), layout.room()) << current;
    EXPECT_LE(layout.add().right(), kBar.width() - TabLayout::kSummary) << current;
    EXPECT_GT(layout.add().left(), layout.after().right()) << current;
    EXPECT_EQ(layout.moreBefore(), current > 2) << current;
  }
}

TEST(TabLayout, ScrollsToItsEndsAndNotBeyond) {
  TabLayout layout = placed({200, 200, 200}, 0);
  EXPECT_FALSE(layout.moreBefore());
  EXPECT_TRUE(layout.moreAfter());
  layout.scrollBy(10'000);
  EXPECT_EQ(layout.places()[2].tab.right() + 1, layout.room());
  EXPECT_FALSE(layout.moreAfter());
  layout.scrollBy(-10'000);
  EXPECT_EQ(layout.places()[0].tab.left(), 0);
}

TEST(TabLayout, ATabUnderTheArrowsIsNotThere) {
  const TabLayout layout = placed({200, 200, 200}, 0);
  EXPECT_EQ(layout.tabAt({10, 10}), 0);
  EXPECT_EQ(layout.tabAt({210, 10}), 1);
  EXPECT_EQ(layout.tabAt({layout.room() + 1, 10}), -1);
  EXPECT_EQ(layout.tabAt({10, 50}), -1);
}

TEST(TabLayout, OfATabThatIsWiderThanTheRoomTheBeginningIsInSight) {
  const TabLayout layout = placed({100, 900}, 1);
  EXPECT_EQ(layout.places()[1].tab.left(), 0);
}

TEST(TabLayout, WithoutTabsThereIsPlusAlone) {
  const TabLayout layout = placed({}, -1);
  EXPECT_EQ(layout.add().left(), 4);
  EXPECT_EQ(layout.tabAt({1, 1}), -1);
}

}  // namespace
}  // namespace stagelane::ui
