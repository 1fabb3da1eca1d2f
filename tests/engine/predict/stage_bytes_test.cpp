#include "engine/predict/stage_bytes.h"

#include <gtest/gtest.h>

#include "tests/engine/predict/costs.h"

namespace stagelane::predict {
namespace {

using detail::BlockFigures;
using detail::Keeping;
using detail::stageBytes;

/// Keeps 100 and 40, outputs 10 and 5, has weights of 7 and 3.
std::vector<BlockFigures> twoBlocks() {
  BlockFigures first{100, 10, 7, {}};
  first.memory = {2, 130, 20, 25, 6, 50, 60, 9};
  BlockFigures second{40, 5, 3, {}};
  second.memory = {0, 45, 8, 9, 4, 30, 20, 11};
  return {first, second};
}

TEST(StageBytes, GoForwardWithWhatIsKeptAndBackWithoutIt) {
  const StageBytes bytes = stageBytes(twoBlocks(), 12, Keeping::Everything);
  EXPECT_EQ(bytes.forwardPeak, 100 + 2 + 45);
  EXPECT_EQ(bytes.backwardPeak, 8);             // then 40 less, and the boundary's gradient
  EXPECT_EQ(bytes.firstBackwardPeak, 9);        // −40 + 10 + 3 + 25 is less
  EXPECT_EQ(bytes.inputPeak, 30 - 5 + 10 + 6);  // the output's gradient, 5, is allocated already
  EXPECT_EQ(bytes.weightPeak, 11);
  EXPECT_EQ(bytes.captured, 50 + 30 + 60 + 20 - 140);
  EXPECT_EQ(bytes.gradients, 10);
  EXPECT_EQ(bytes.inputGradient, 12);
}

TEST(StageBytes, OfARecomputingStageHaveItsForwardInTheBackward) {
  const StageBytes bytes = stageBytes(twoBlocks(), 12, Keeping::Inputs);
  EXPECT_EQ(bytes.backwardPeak, 140 + 8);
  EXPECT_EQ(bytes.captured, 50 + 30 + 60 + 20);
}

/// Gradients of weights are allocated from the first backward on, not from the start.
TEST(StageBytes, CountGradientsFromTheFirstBackwardToTheUpdate) {
  PlanCosts plan = testing::costs(1, 2);
  for (StageCost& cost : plan.stage[0]) {
    cost.savedBytes = 100;
    cost.bytes = StageBytes{};
    cost.bytes->gradients = 1000;
    cost.bytes->forwardPeak = 120;
  }
  EXPECT_EQ(simulate(testing::lowered("gpipe", 1, 2), plan)->peakBytes[0], 1000 + 100);
  // With one micro-batch, no activations are left when they are allocated.
  EXPECT_EQ(simulate(testing::lowered("gpipe", 1, 1), plan)->peakBytes[0], 1000);
  for (StageCost& cost : plan.stage[0]) {
    cost.bytes->firstBackwardPeak = 50;
    cost.bytes->backwardPeak = 300;
  }
  EXPECT_EQ(simulate(testing::lowered("gpipe", 1, 2), plan)->peakBytes[0], 1000 + 100 + 300);
}

}  // namespace
}  // namespace stagelane::predict
