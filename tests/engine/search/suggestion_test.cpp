#include "engine/search/suggestion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/schedule/methods.h"
#include "engine/search/variant_order.h"
#include "tests/engine/search/placement_tasks.h"

namespace stagelane::search {
namespace {

TEST(ClosedForm, FindsTheSplitOfALinearCost) {
  // α = 100, β = 10, B = 120, p = 2: √(100·120/10) = 34.6.
  const ClosedForm form = closedForm({{10, 200}, {20, 300}, {40, 500}}, 120, 2);
  EXPECT_NEAR(form.alphaNs, 100.0, 1e-9);
  EXPECT_NEAR(form.betaNs, 10.0, 1e-9);
  EXPECT_NEAR(form.splitSize, std::sqrt(1200.0), 1e-9);
  EXPECT_EQ(closedForm({{10, 200}}, 120, 2).splitSize, 0.0);
  EXPECT_EQ(closedForm({{10, 200}, {20, 300}}, 120, 1).splitSize, 0.0);
}

TEST(SplitsToTry, GiveEachNumberOfMicroBatchesOrAreApart) {
  EXPECT_EQ(splitsToTry(1), (std::vector<std::int64_t>{1}));
  EXPECT_EQ(splitsToTry(6), (std::vector<std::int64_t>{1, 2, 3, 6}));
  const std::vector<std::int64_t> many = splitsToTry(5000);
  EXPECT_EQ(many.front(), 20) << "256 micro-batches";
  EXPECT_EQ(many.back(), 5000);
  for (std::size_t i = 1; i < many.size(); ++i) {
    EXPECT_GE(static_cast<double>(many[i]), 1.15 * static_cast<double>(many[i - 1]));
  }
}

TEST(Suggest, OfInferenceComparesForwardsOnly) {
  plan::Experiment experiment = resnet18(2, 12);
  experiment.task = plan::Task::Infer;
  predict::CostTable table = randomTable(experiment, 4);
  table.actionOverheadNs = 1'000'000;
  const auto found = suggest({&experiment, &table, 1});
  ASSERT_TRUE(found) << found.error().message;
  for (const SuggestedPlan& point : found->curve) {
    plan::Variant variant;
    variant.strategy = plan::Strategy::Pipeline;
    variant.schedule = point.schedule;
    variant.splitSize = point.splitSize;
    variant.stages = point.stages;
    const auto step = predictStep(experiment, variant, {.costs = &table, .effort = 0.3});
    ASSERT_TRUE(step);
    EXPECT_EQ(point.stepNs, step->stepNs) << point.splitSize << " " << point.schedule;
    EXPECT_TRUE(schedule::isPipelineSchedule(point.schedule)) << point.schedule;
  }
  ASSERT_EQ(found->curve.back().splitSize, 12);
  EXPECT_NE(found->curve.back().schedule, schedule::kAutoSchedule)
      << "one micro-batch takes as long in every order";
}

TEST(BestSchedule, IsOneThatTheStrategyAllows) {
  const plan::Experiment experiment = resnet18(2, 4);
  plan::Variant variant;
  variant.splitSize = 4;
  variant.stages = {{0, 13, DeviceId{"cpu:0"}}};
  variant.strategy = plan::Strategy::Pipeline;
  const auto pipelined = bestSchedule(experiment, variant, nullptr);
  ASSERT_TRUE(pipelined && *pipelined);
  EXPECT_TRUE(schedule::isPipelineSchedule((*pipelined)->schedule)) << (*pipelined)->schedule;
  variant.strategy = plan::Strategy::Single;
  const auto single = bestSchedule(experiment, variant, nullptr);
  ASSERT_TRUE(single && *single);
  EXPECT_EQ((*single)->schedule, "single");
  EXPECT_EQ((*single)->stepNs, (*pipelined)->stepNs);
  variant.stages.clear();
  EXPECT_FALSE(bestSchedule(experiment, variant, nullptr));
}

TEST(Suggest, IsNoSlowerThanAnyPointOfItsCurve) {
  const plan::Experiment experiment = resnet18(2, 12);
  const predict::CostTable table = randomTable(experiment, 4);
  const auto found = suggest({&experiment, &table, 1});
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_FALSE(found->curve.empty());
  for (const SuggestedPlan& point : found->curve) {
    EXPECT_LE(found->best.stepNs, point.stepNs);
    EXPECT_TRUE(plan::checkSplit(experiment, point.splitSize));
  }
  EXPECT_TRUE(
      std::is_sorted(found->curve.begin(), found->curve.end(),
                     [](const auto& a, const auto& b) { return a.splitSize < b.splitSize; }));
  EXPECT_LE(found->lowerBoundNs, found->best.stepNs);
  ASSERT_TRUE(found->asWritten);
  EXPECT_LE(found->best.stepNs, found->asWritten->stepNs);
}

TEST(Suggest, IsNoSlowerThanAnyPipelineOfTheExperiment) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const plan::Experiment empty = resnet18(2, 16);
    const predict::CostTable table = randomTable(empty, 80 + seed);
    Json document = empty.source;
    // 7 is not one of the splits that are tried: with as many micro-batches, 6 is smaller.
    document["variants"] = {{{"strategy", "pipeline"}, {"schedule", "auto"}, {"split_size", 7}},
                            {{"strategy", "pipeline"}, {"schedule", "auto"}, {"split_size", 4}}};
    const auto experiment = readResolved(document, table);
    ASSERT_TRUE(experiment) << experiment.error().message;
    const auto found = suggest({&*experiment, &table, 1});
    ASSERT_TRUE(found) << found.error().message;
    ASSERT_TRUE(found->asWritten);
    EXPECT_LE(found->best.stepNs, found->asWritten->stepNs) << seed;
    EXPECT_TRUE(std::any_of(found->curve.begin(), found->curve.end(),
                            [](const auto& point) { return point.splitSize == 7; }));
  }
}

TEST(Suggest, LeavesOutADeviceThatIsTooSlowToHelp) {
  const Json document = parseJson(R"({"stagelane": 1, "name": "slow second",
      "model": {"zoo": "mlp", "depth": 4, "width": 512, "in": 512, "out": 10},
      "input": {"shape": [512]}, "data": {"batch_size": 32},
      "devices": ["cpu:0", {"id": "sim:0", "like": "cpu:0", "speed": 0.05}],
      "variants": [{"name": "one", "strategy": "single", "device": "cpu:0"}]})",
                                  "test")
                            .value();
  const auto experiment = plan::readExperiment(document, "", {});
  ASSERT_TRUE(experiment) << describe(experiment.error());
  const auto found = suggest({&*experiment, nullptr, 1});
  ASSERT_TRUE(found) << describe(found.error());
  const auto alone = predictStep(*experiment, experiment->variants.front(), {});
  ASSERT_TRUE(alone) << describe(alone.error());
  EXPECT_LE(found->best.stepNs, alone->stepNs);
  ASSERT_EQ(found->best.stages.size(), 1U);
  EXPECT_EQ(found->best.stages.front().group.text(), "cpu:0");
  EXPECT_TRUE(schedule::isPipelineSchedule(found->best.schedule)) << found->best.schedule;
}

/// Sets of several devices look faster until their links are counted.
TEST(Suggest, TriesEachDeviceAlone) {
  const plan::Experiment experiment = resnet18(3, 8);
  predict::CostTable table = randomTable(experiment, 5);
  for (predict::BlockCosts& block : table.blocks) {
    const std::string& device = block.device->value;
    const TimeNs times = device == "cpu:0" ? 1 : device == "cpu:1" ? 6 : 10;
    for (predict::CostPoint& point : block.points) {
      point.forward = 1'000'000 * times;
      point.backwardInput = point.backwardWeight = 1'000'000 * times;
      point.backward = 2'000'000 * times;
    }
  }
  for (predict::LinkCost& link : table.links) link.latencyNs = 100'000'000;
  const auto found = suggest({&experiment, &table, 1});
  ASSERT_TRUE(found) << describe(found.error());
  ASSERT_EQ(found->best.stages.size(), 1U);
  EXPECT_EQ(found->best.stages.front().group.text(), "cpu:0");
}

TEST(Suggest, LeavesOutSplitsThatBatchNormRefuses) {
  // At 32² the last stage of ResNet-18 has one value per channel and sample.
  const plan::Experiment experiment = resnet18(2, 5);
  const auto found = suggest({&experiment, nullptr, 1});
  ASSERT_TRUE(found);
  for (const SuggestedPlan& point : found->curve) {
    EXPECT_NE(point.splitSize, 1);
    EXPECT_NE(point.splitSize, 2) << "leaves a tail of one";
  }
}

TEST(LargestBatch, IsTheLargestThatFits) {
  const plan::Experiment experiment = resnet18(2, 16, "256MiB");
  const SuggestTask task{&experiment, nullptr, 1};
  const auto found = suggest(task);
  ASSERT_TRUE(found);
  const auto largest = largestBatch(task, found->best);
  ASSERT_TRUE(largest);
  EXPECT_TRUE(largest->limited);
  EXPECT_GE(largest->batch, 16);
  const auto overBudget = [&](std::int64_t split) {
    plan::Experiment other = experiment;
    plan::Variant variant;
    variant.schedule = found->best.schedule;
    variant.stages = found->best.stages;
    variant.splitSize = split;
    other.data.batchSize = largest->batch / largest->splitSize * split;
    return !predictStep(other, variant, {.effort = 0.3})->fits();
  };
  EXPECT_FALSE(overBudget(largest->splitSize));
  EXPECT_TRUE(overBudget(largest->splitSize + 1));
  const plan::Experiment unlimited = resnet18(2, 16);
  EXPECT_FALSE(largestBatch({&unlimited, nullptr, 1}, found->best)->limited);
}

}  // namespace
}  // namespace stagelane::search
