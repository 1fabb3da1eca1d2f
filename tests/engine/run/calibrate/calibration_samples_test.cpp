#include "engine/run/calibrate/calibration_samples.h"

#include <gmock/gmock.h>

namespace stagelane::run {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

PassTimes whole(TimeNs forward, TimeNs backward, bool accumulates) {
  PassTimes pass;
  pass.forward = {forward, 2 * forward};
  pass.backward = {backward, 2 * backward};
  pass.backwardWeight = {0, 0};
  pass.accumulates = accumulates;
  return pass;
}
PassTimes halves(TimeNs input, TimeNs weight) {
  PassTimes pass;
  pass.kind = BackwardKind::Halves;
  pass.forward = {0, 1};
  pass.backward = {0, input};
  pass.backwardWeight = {0, weight};
  return pass;
}
KindSamples twoBlocks() {
  KindSamples samples;
  samples.kind.threads = 1;
  for (const TimeNs noise : {-2, 0, 2}) {
    samples.passes[4].push_back(whole(100 + noise, 200, false));
    samples.passes[4].push_back(whole(100 + noise, 210, true));
    samples.passes[4].push_back(halves(150, 260));
    samples.optimizer.push_back({5, 7});
  }
  return samples;
}

TEST(RelativeSpread, isTheInterquartileRangeOfTheMedian) {
  EXPECT_DOUBLE_EQ(relativeSpread({1.0, 2.0, 3.0, 4.0, 5.0}), 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(relativeSpread({7.0}), 0.0);
}

TEST(CalibrationSamples, medianOfThePassesIsThePoint) {
  const auto blocks = blockCosts(twoBlocks(), {"a", "b"});
  ASSERT_EQ(blocks.size(), 2U);
  EXPECT_EQ(blocks[0].name, "a");
  EXPECT_EQ(blocks[0].threads, 1);
  EXPECT_FALSE(blocks[0].device.has_value());
  const predict::CostPoint& point = blocks[1].points.front();
  EXPECT_EQ(point.samples, 4);
  EXPECT_EQ(point.forward, 200);
  EXPECT_EQ(point.backwardInput, 150);
  EXPECT_EQ(point.backwardWeight, 260);
  EXPECT_GT(point.noise, 0.0);
  EXPECT_EQ(blocks[1].optimizerNs, 7);
}

TEST(CalibrationSamples, addingGradientsIsTakenOutOfTheBackward) {
  const auto blocks = blockCosts(twoBlocks(), {"a", "b"});
  EXPECT_EQ(blocks[0].accumulateNs, 10);
  EXPECT_EQ(blocks[0].points.front().backward, 200);
  EXPECT_EQ(blocks[1].accumulateNs, 20);
  EXPECT_EQ(blocks[1].points.front().backward, 400);
}

TEST(CalibrationSamples, theFirstBlockHasNoInputGradient) {
  const auto blocks = blockCosts(twoBlocks(), {"a", "b"});
  EXPECT_EQ(blocks[0].points.front().backwardInput, 0);
  EXPECT_EQ(blocks[0].points.front().backwardWeight, 200);
}

TEST(CalibrationSamples, aGpuIsNamedAndCpuWorkersAreNot) {
  KindSamples gpu = twoBlocks();
  gpu.kind.cpu = false;
  gpu.kind.device = DeviceId{"cuda:0"};
  const auto table = costTable({twoBlocks(), gpu}, {}, {"a", "b"});
  ASSERT_EQ(table.blocks.size(), 4U);
  EXPECT_EQ(table.blocks[2].device, DeviceId{"cuda:0"});
  EXPECT_EQ(table.basis, predict::Basis::Calibrated);
}

TEST(CalibrationSamples, contentionIsTheMedianFactor) {
  KindSamples samples = twoBlocks();
  samples.contention[2] = {1.0, 1.2, 1.1};
  EXPECT_DOUBLE_EQ(costTable({samples}, {}, {"a", "b"}).contention.at(2), 1.1);
}

std::vector<std::size_t> lasts(const std::vector<BlockRange>& ranges) {
  std::vector<std::size_t> answer;
  for (const BlockRange& range : ranges) answer.push_back(range.last);
  return answer;
}

TEST(EvenRanges, takeAboutTheSameTime) {
  EXPECT_THAT(lasts(evenRanges({1, 1, 1, 1}, 2)), ElementsAre(1, 3));
  EXPECT_THAT(lasts(evenRanges({10, 1, 1, 1}, 2)), ElementsAre(0, 3));
  EXPECT_THAT(lasts(evenRanges({1, 1, 1, 10}, 3)), ElementsAre(1, 2, 3));
  EXPECT_THAT(lasts(evenRanges({0, 0, 0}, 3)), ElementsAre(0, 1, 2));
}

TEST(EvenRanges, needABlockEach) {
  EXPECT_THAT(evenRanges({1.0}, 2), IsEmpty());
  EXPECT_THAT(evenRanges({}, 1), IsEmpty());
  EXPECT_THAT(lasts(evenRanges({1.0}, 1)), ElementsAre(0));
}

}  // namespace
}  // namespace stagelane::run
