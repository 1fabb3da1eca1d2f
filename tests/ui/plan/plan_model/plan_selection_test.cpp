#include "ui/plan/plan_model/plan_selection.h"

#include <gmock/gmock.h>

namespace stagelane::ui {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Chips 0, 1–3, 4, 5: the second is a closed group.
ChainLayout layout() {
  ChainLayout made;
  for (const auto& [first, last] : {std::pair{0U, 0U}, {1U, 3U}, {4U, 4U}, {5U, 5U}}) {
    ChipPlace chip;
    chip.first = first;
    chip.last = last;
    made.chips.push_back(chip);
  }
  return made;
}

TEST(PlanSelection, ExtendsFromWhereItBeganInBothDirections) {
  PlanSelection selection;
  selection.select(4, 4);
  selection.extendTo(5, 5);
  EXPECT_THAT(selection.list(), ElementsAre(4, 5));
  selection.extendTo(1, 3);
  EXPECT_THAT(selection.list(), ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(selection.current(), 1U);
}

TEST(PlanSelection, AGroupThatItBeganWithStaysWhole) {
  PlanSelection selection;
  selection.select(1, 3);
  selection.extendTo(0, 0);
  EXPECT_THAT(selection.list(), ElementsAre(0, 1, 2, 3));
  selection.extendTo(4, 4);
  EXPECT_THAT(selection.list(), ElementsAre(1, 2, 3, 4));
}

TEST(PlanSelection, AGroupIsToggledAsAWhole) {
  PlanSelection selection;
  selection.select(2, 2);
  EXPECT_EQ(selection.selected(1, 3), Selected::Part);
  selection.toggle(1, 3);
  EXPECT_EQ(selection.selected(1, 3), Selected::All);
  selection.toggle(1, 3);
  EXPECT_EQ(selection.selected(1, 3), Selected::None);
}

TEST(PlanSelection, TheKeyboardGoesFromChipToChipAndStopsAtTheEnds) {
  PlanSelection selection;
  ASSERT_TRUE(selection.step(1, false, layout()));
  EXPECT_THAT(selection.list(), ElementsAre(0)) << "the first key selects where it is";
  ASSERT_TRUE(selection.step(1, false, layout()));
  EXPECT_THAT(selection.list(), ElementsAre(1, 2, 3));
  ASSERT_TRUE(selection.step(1, true, layout()));
  EXPECT_THAT(selection.list(), ElementsAre(1, 2, 3, 4));
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(selection.step(1, false, layout()));
  EXPECT_THAT(selection.list(), ElementsAre(5));
  EXPECT_FALSE(PlanSelection().step(1, false, {}));
}

TEST(PlanSelection, BlocksThatAreGoneAreNotSelected) {
  PlanSelection selection;
  selection.select(2, 4);
  selection.keepWithin(4);
  EXPECT_THAT(selection.list(), ElementsAre(2, 3));
  selection.keepWithin(2);
  EXPECT_THAT(selection.list(), IsEmpty());
  EXPECT_EQ(selection.current(), 0U);
  EXPECT_EQ(selection.first(), 0U);
}

}  // namespace
}  // namespace stagelane::ui
