#include "ui/session/legend_filter.h"

#include <gmock/gmock.h>

namespace stagelane::ui {
namespace {

using analysis::Cause;
using testing::ElementsAre;
using testing::UnorderedElementsAre;
using trace::Category;

TEST(LegendFilter, HidesAKindOfWorkByEveryCategoryOfItsEntry) {
  LegendFilter filter;
  toggle(filter, Cause::Forward);
  // The loss has no entry of its own: it is shown and hidden with the forwards.
  EXPECT_THAT(filter.hiddenCategories, UnorderedElementsAre(Category::Forward, Category::Loss));
  EXPECT_TRUE(filter.hiddenCauses.empty());
  EXPECT_TRUE(isHidden(filter, Cause::Forward));
  EXPECT_FALSE(isHidden(filter, Cause::Backward));
  toggle(filter, Cause::Forward);
  EXPECT_EQ(filter, LegendFilter{});
}

TEST(LegendFilter, HidesIdleTimeByItsCause) {
  LegendFilter filter;
  toggle(filter, Cause::Starved);
  toggle(filter, Cause::BackwardWeight);
  EXPECT_THAT(filter.hiddenCauses, ElementsAre(Cause::Starved));
  EXPECT_THAT(hiddenCauses(filter), ElementsAre(Cause::BackwardWeight, Cause::Starved));
  toggle(filter, Cause::Starved);
  EXPECT_FALSE(isHidden(filter, Cause::Starved));
}

TEST(LegendFilter, IsSetAsALegendsButtonsAre) {
  LegendFilter filter;
  setSwitchedOff(filter, Category::Forward, true);
  setSwitchedOff(filter, Category::Forward, true);
  setSwitchedOff(filter, Cause::Tail, true);
  EXPECT_THAT(filter.hiddenCategories, UnorderedElementsAre(Category::Forward, Category::Loss));
  EXPECT_THAT(filter.hiddenCauses, ElementsAre(Cause::Tail));
  setSwitchedOff(filter, Category::Forward, false);
  setSwitchedOff(filter, Cause::Tail, false);
  EXPECT_EQ(filter, LegendFilter{});
}

TEST(LegendFilter, NeverHidesWorkWhoseKindIsNotKnown) {
  LegendFilter filter;
  toggle(filter, Cause::Forward);
  EXPECT_FALSE(isHidden(filter, Cause::Compute));
}

}  // namespace
}  // namespace stagelane::ui
