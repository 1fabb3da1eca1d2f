#include "engine/trace/middle_steps.h"

#include <gmock/gmock.h>

#include "engine/trace/trace_builder.h"

namespace stagelane::trace {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Step step(TimeNs length, bool extra = false) { return {0, 0, 0, length, extra}; }

TEST(MiddleSteps, AreOneOfAnOddNumberAndTwoOfAnEvenOne) {
  EXPECT_THAT(middleSteps({}), IsEmpty());
  EXPECT_THAT(middleSteps({step(9), step(1), step(5)}), ElementsAre(2U));
  EXPECT_THAT(middleSteps({step(9), step(1)}), ElementsAre(1U, 0U));
  EXPECT_THAT(middleSteps({step(4), step(9), step(1), step(6)}), ElementsAre(0U, 3U));
}

TEST(MiddleSteps, AreTimedOnesUnlessThereIsNone) {
  EXPECT_THAT(middleSteps({step(1, true), step(7), step(9)}), ElementsAre(1U, 2U));
  EXPECT_THAT(middleSteps({step(3, true)}), ElementsAre(0U));
}

TEST(MedianDuration, OfAnEvenNumberIsTheMeanOfTheTwoInTheMiddle) {
  EXPECT_EQ(medianDurationNs({}), 0);
  EXPECT_EQ(medianDurationNs({step(5)}), 5);
  EXPECT_EQ(medianDurationNs({step(5), step(12)}), 8);
  EXPECT_EQ(medianDurationNs({step(100), step(5), step(11), step(1)}), 8);
}

TEST(StatedMedian, IsWhatTheMetadataSays) {
  TraceBuilder builder;
  builder.setMetadata(kMedianStepKey, "8515");
  EXPECT_EQ(statedMedianNs(*std::move(builder).build()), 8515);
  TraceBuilder damaged;
  damaged.setMetadata(kMedianStepKey, "soon");
  EXPECT_EQ(statedMedianNs(*std::move(damaged).build()), 0);
  EXPECT_EQ(statedMedianNs(*TraceBuilder().build()), 0);
}

}  // namespace
}  // namespace stagelane::trace
