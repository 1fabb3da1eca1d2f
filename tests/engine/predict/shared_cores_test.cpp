#include "engine/predict/shared_cores.h"

#include <gtest/gtest.h>

#include "engine/predict/prediction.h"

namespace stagelane::predict {
namespace {

plan::Experiment experimentOf(int processes, int cores) {
  const auto document = parseJson(
      R"({"stagelane":1,"model":{"zoo":"toy"},"input":{"shape":[10]},
      "data":{"labels":"normal","batch_size":20},"devices":["cpu:0"],
      "variants":[{"name":"single","strategy":"single"},
      {"name":"h","strategy":"hogwild","processes":)" +
          std::to_string(processes) + "}]}",
      "test");
  auto experiment = plan::readExperiment(*document, ".", {0, cores});
  EXPECT_TRUE(experiment) << (experiment ? "" : describe(experiment.error()));
  return std::move(*experiment);
}

TimeNs stepOf(const plan::Experiment& experiment, const std::string& id) {
  const auto prediction = predictPlan(experiment, *experiment.variantById(id), nullptr);
  EXPECT_TRUE(prediction) << (prediction ? "" : describe(prediction.error()));
  return prediction ? prediction->stepNs : 0;
}

TEST(SharedCores, AreEnoughForAllProcesses) {
  const plan::Experiment experiment = experimentOf(4, 8);
  EXPECT_EQ(stepOf(experiment, "h"), stepOf(experiment, "single"));
  EXPECT_EQ(stepOf(experimentOf(4, 0), "h"), stepOf(experiment, "single")) << "unknown cores";
}

TEST(SharedCores, StretchAnUpdateByTheThreadsOfACore) {
  const plan::Experiment experiment = experimentOf(6, 2);
  const auto single = static_cast<double>(stepOf(experiment, "single"));
  EXPECT_NEAR(static_cast<double>(stepOf(experiment, "h")), 3.0 * single, 10.0);
}

TEST(SharedCores, StretchAnUpdateByTheMeasuredContentionIfThatIsMore) {
  const plan::Experiment experiment = experimentOf(4, 4);
  PlanCosts costs;
  costs.stage = {{StageCost{}}};
  costs.stage[0][0].forward = 1000;
  costs.contention = {{2, 1.5}, {4, 2.5}};
  shareCores(experiment, *experiment.variantById("h"), {}, costs);
  EXPECT_EQ(costs.stage[0][0].forward, 2500);
  EXPECT_TRUE(costs.contention.empty());
  costs.contention = {{2, 1.5}};
  shareCores(experiment, *experiment.variantById("single"), {}, costs);
  EXPECT_EQ(costs.stage[0][0].forward, 2500) << "other strategies are simulated";
}

TEST(SharedCores, SpeedUpTrainsABatchInEveryProcess) {
  const plan::Experiment experiment = experimentOf(4, 8);
  const auto prediction = predictPlan(experiment, *experiment.variantById("h"), nullptr);
  ASSERT_TRUE(prediction);
  EXPECT_DOUBLE_EQ(prediction->speedup(), 4.0);
}

TEST(SharedCores, InterpolateBetweenCounts) {
  const std::map<int, double> contention{{2, 1.2}, {4, 2.0}};
  EXPECT_DOUBLE_EQ(contentionAt(contention, 1), 1.0);
  EXPECT_DOUBLE_EQ(contentionAt(contention, 2), 1.2);
  EXPECT_DOUBLE_EQ(contentionAt(contention, 3), 1.6);
  EXPECT_DOUBLE_EQ(contentionAt(contention, 9), 2.0);
}

}  // namespace
}  // namespace stagelane::predict
