#include "engine/run/calibrate/calibration_plan.h"

#include <gmock/gmock.h>

#include "tests/engine/run/run_fixture.h"

namespace stagelane::run {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;
using ::testing::SizeIs;

plan::Experiment twoWorkers(const std::string& variants, const std::string& batch = "8") {
  return test::experimentOf(test::toy(batch, R"("variants":[)" + variants + "]"));
}
const std::string kPipeline =
    R"({"name":"p","strategy":"pipeline","schedule":"1f1b","split_size":3,)" + test::kToyStages +
    "}";

TEST(CalibrationPlan, measuresTheSizesThatOccurTheTailIncluded) {
  const auto plan = test::valueOf(planCalibration(twoWorkers(kPipeline), false));
  const WorkerKind& oneThread = plan.kinds.front();
  EXPECT_EQ(oneThread.threads, 1);
  EXPECT_THAT(oneThread.samples, ElementsAre(2, 3));
  EXPECT_EQ(oneThread.typical, 3);
}

TEST(CalibrationPlan, neighborsAreHalfAndDoubleWithinTheBatch) {
  const auto plan = test::valueOf(planCalibration(twoWorkers(kPipeline), true));
  EXPECT_THAT(plan.kinds.front().samples, ElementsAre(1, 2, 3, 4, 6));
}

TEST(CalibrationPlan, workersOfOneWidthAreOneKindAndAllOfThemAreBusyAtOnce) {
  const auto plan = test::valueOf(planCalibration(twoWorkers(kPipeline), false));
  // In addition, the implicit variant with all cores, which is a kind of its own.
  ASSERT_THAT(plan.kinds, SizeIs(2));
  EXPECT_THAT(plan.kinds[0].together, ElementsAre(DeviceId{"cpu:0"}, DeviceId{"cpu:1"}));
  EXPECT_EQ(plan.kinds[1].threads, 2);
  EXPECT_THAT(plan.kinds[1].together, SizeIs(1));
}

TEST(CalibrationPlan, allListedWorkersAreBusyAtOnceEvenIfEachVariantUsesOne) {
  const auto plan = test::valueOf(
      planCalibration(twoWorkers(R"({"name":"s","strategy":"single","device":"cpu:1"})"), false));
  EXPECT_THAT(plan.kinds[0].together, ElementsAre(DeviceId{"cpu:1"}, DeviceId{"cpu:0"}));
}

TEST(CalibrationPlan, linksGoBothWaysBetweenDevicesOfOneVariant) {
  const auto plan = test::valueOf(planCalibration(twoWorkers(kPipeline), false));
  EXPECT_THAT(plan.links, ElementsAre(Pair(DeviceId{"cpu:0"}, DeviceId{"cpu:1"}),
                                      Pair(DeviceId{"cpu:1"}, DeviceId{"cpu:0"})));
}

TEST(CalibrationPlan, workersOfOtherRanksAreMeasuredAsThoseOfThisProcess) {
  const auto plan = test::valueOf(planCalibration(
      test::experimentOf(R"({"stagelane":1,"name":"t","model":{"zoo":"toy"},"input":{"shape":[10]},
          "data":{"labels":"normal","batch_size":8,"batches":1},"devices":["cpu:0","cpu:0@1"],
          "variants":[{"name":"p","strategy":"pipeline","schedule":"1f1b","split_size":4,
          "stages":[{"first":"net1","device":"cpu:0"},{"first":"net2","device":"cpu:0@1"}]}]})"),
      false));
  EXPECT_THAT(plan.kinds.front().together, ElementsAre(DeviceId{"cpu:0"}));
  EXPECT_THAT(plan.links, SizeIs(0)) << "not within a process";
}

TEST(CalibrationPlan, withoutAVariantThereIsNothingToMeasure) {
  plan::Experiment experiment = twoWorkers(kPipeline);
  for (plan::Variant& variant : experiment.variants) variant.include = false;
  const auto plan = planCalibration(experiment, true);
  ASSERT_FALSE(plan.has_value());
  EXPECT_EQ(plan.error().code, ErrorCode::Invalid);
}

TEST(CalibrationPlan, manySizesAreThinnedAndKeepTheirEnds) {
  std::string sweep;
  for (int size = 1; size <= 64; ++size) sweep += (size > 1 ? "," : "") + std::to_string(size);
  const auto experiment =
      twoWorkers(R"({"name":"p","strategy":"pipeline","schedule":"gpipe","split_size":[)" + sweep +
                     "]," + test::kToyStages + "}",
                 "64");
  const auto samples = test::valueOf(planCalibration(experiment, true)).kinds.front().samples;
  EXPECT_LE(samples.size(), 10U);
  EXPECT_EQ(samples.front(), 1);
  EXPECT_EQ(samples.back(), 64);
}

WorkerKind kindOf(std::vector<std::int64_t> samples, std::set<std::int64_t> occurring = {}) {
  WorkerKind kind;
  kind.typical = samples.front();
  kind.samples = std::move(samples);
  kind.occurring = std::move(occurring);
  return kind;
}

TEST(CalibrationRounds, asManyAsFitButNeverFewerThanThree) {
  // A round of 1 + 2 + 4 samples takes 0.7 s, the first one is for warming up.
  EXPECT_EQ(roundsWithin(kindOf({1, 2, 4}), {0.0, 0.1}, 0.0, 7.1).rounds, 9);
  EXPECT_EQ(roundsWithin(kindOf({1, 2, 4}), {0.0, 0.1}, 0.0, 1e6).rounds, 15);
  EXPECT_EQ(roundsWithin(kindOf({1}), {0.0, 10.0}, 0.0, 1.0).rounds, 3);
  EXPECT_EQ(roundsWithin(kindOf({1, 2, 4}), {0.1, 0.1}, 0.0, 7.1).rounds, 6);
}

TEST(CalibrationRounds, sizesThatNoVariantHasGoFirstAndTwoRemain) {
  EXPECT_THAT(roundsWithin(kindOf({1, 2, 4, 8}), {0.0, 0.1}, 0.0, 3.0).samples,
              ElementsAre(1, 2, 4));
  EXPECT_THAT(roundsWithin(kindOf({1, 2, 4, 8}), {0.0, 0.1}, 0.0, 0.001).samples,
              ElementsAre(1, 2));
  EXPECT_THAT(roundsWithin(kindOf({1, 2, 4, 8}, {8}), {0.0, 0.1}, 0.0, 4.5).samples,
              ElementsAre(1, 2, 8));
}

TEST(CalibrationRounds, theLargestSizeThatOccursStaysLongerThanThoseBetween) {
  // Four rounds of all of them cost 42.8 s; without 2 and then 32, the closest sizes, 29.2 s.
  const WorkerKind kind = kindOf({1, 2, 8, 32, 64}, {1, 2, 8, 32, 64});
  EXPECT_THAT(roundsWithin(kind, {0.0, 0.1}, 0.0, 42.5).samples, ElementsAre(1, 8, 32, 64));
  EXPECT_THAT(roundsWithin(kind, {0.0, 0.1}, 0.0, 35.0).samples, ElementsAre(1, 8, 64));
  EXPECT_THAT(roundsWithin(kind, {0.0, 0.1}, 0.0, 28.0).samples, ElementsAre(1, 64));
}

TEST(CalibrationRounds, aBatchThatIsTooDearIsHalvedUntilTwoSizesFit) {
  EXPECT_THAT(withAffordable({120}, {0.0, 0.1}, 20.0), ElementsAre(15, 30, 60, 120));
  EXPECT_THAT(withAffordable({4, 8}, {0.0, 0.1}, 20.0), ElementsAre(4, 8));
  EXPECT_THAT(withAffordable({8}, {0.0, 1e6}, 1.0), ElementsAre(4, 8));
  EXPECT_THAT(withAffordable({1}, {0.0, 1e6}, 1.0), ElementsAre(1));
}

TEST(CalibrationRounds, modelsWithoutCostNeedNoTime) {
  EXPECT_EQ(roundsWithin(kindOf({1}), {}, 0.0, 1.0).rounds, 15);
}

TEST(CalibrationRounds, aVisitsCostIsTheLineThroughTwo) {
  const VisitCost cost = visitCost({4, 0.5}, {16, 1.1});
  EXPECT_DOUBLE_EQ(cost.secondsPerSample, 0.05);
  EXPECT_DOUBLE_EQ(cost.fixedSeconds, 0.3);
  EXPECT_DOUBLE_EQ(cost.seconds(64), 3.5);
  EXPECT_DOUBLE_EQ(visitCost({4, 0.5}, {4, 0.5}).seconds(8), 1.0);
  // A larger size that was measured as faster because of noise.
  EXPECT_DOUBLE_EQ(visitCost({4, 0.5}, {16, 0.4}).seconds(64), 0.5);
}

}  // namespace
}  // namespace stagelane::run
