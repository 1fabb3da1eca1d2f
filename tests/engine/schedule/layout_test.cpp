#include "engine/schedule/layout.h"

#include <gmock/gmock.h>

namespace stagelane::schedule {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(RowsOfStages, AreALoopOrAV) {
  EXPECT_THAT(rowsOfStages(StageLayout::Loop, 3, 2), ElementsAre(0, 1, 2, 0, 1, 2));
  EXPECT_THAT(rowsOfStages(StageLayout::V, 3, 2), ElementsAre(0, 1, 2, 2, 1, 0));
  EXPECT_THAT(rowsOfStages(StageLayout::OnePerDevice, 3, 1), ElementsAre(0, 1, 2));
  EXPECT_THAT(rowsOfStages(StageLayout::V, 1, 2), Each(0));
}

TEST(StagesInRuns, CountTheStagesOfEachRunOrNothingWhereTheRunsAreOthers) {
  EXPECT_THAT(stagesInRuns({0, 1, 1, 0}, {0, 1, 0}), ElementsAre(1, 2, 1));
  EXPECT_THAT(stagesInRuns({0, 1, 1, 0}, {0, 1}), IsEmpty());
  EXPECT_THAT(stagesInRuns({0, 1}, {1, 0}), IsEmpty());
}

}  // namespace
}  // namespace stagelane::schedule
