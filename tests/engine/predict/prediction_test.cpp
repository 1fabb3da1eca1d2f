#include "engine/predict/prediction.h"

#include <gtest/gtest.h>

#include "tests/engine/plan/documents.h"
#include "tests/support/odd_costs.h"

namespace stagelane::predict {
namespace {

plan::Experiment pipeline() {
  return plan::testing::good(plan::testing::toyWith(
      R"([{"name": "p", "strategy": "pipeline", "schedule": "gpipe", "split_size": 2,
      "placement": {"net1": "cpu:0", "relu": "cpu:1", "net2": "cpu:1"}}])"));
}

TEST(PredictStep, SaysWhatItsCostsAre) {
  const plan::Experiment experiment = pipeline();
  const plan::Variant& variant = experiment.variants[0];
  const CostTable table = test::oddCosts();
  const auto known = predictStep(experiment, variant, &table);
  const auto estimated = predictStep(experiment, variant, nullptr);
  ASSERT_TRUE(known && estimated);
  EXPECT_EQ(known->basis, Basis::Calibrated);
  EXPECT_EQ(estimated->basis, Basis::Estimate);
}

TEST(ExpectedPlan, UsesTheTableIfItIsComplete) {
  const plan::Experiment experiment = pipeline();
  const CostTable table = test::oddCosts();
  const auto expected = expectedPlan(experiment, experiment.variants[0], &table);
  ASSERT_TRUE(expected) << describe(expected.error());
  EXPECT_EQ(expected->costs.basis, Basis::Calibrated);
}

TEST(ExpectedPlan, IsEstimatedIfTheTableLacksABlock) {
  const plan::Experiment experiment = pipeline();
  const plan::Variant& variant = experiment.variants[0];
  CostTable table = test::oddCosts();
  table.blocks.pop_back();
  EXPECT_FALSE(playPlan(experiment, variant, &table));
  const auto expected = expectedPlan(experiment, variant, &table);
  ASSERT_TRUE(expected) << describe(expected.error());
  EXPECT_EQ(expected->costs.basis, Basis::Estimate);
  EXPECT_EQ(expected->simulation.stepNs, playPlan(experiment, variant, nullptr)->simulation.stepNs);
}

TEST(ExpectedPlan, FailsIfEstimatesDoNotHelp) {
  const plan::Experiment experiment = pipeline();
  plan::Variant variant = experiment.variants[0];
  variant.schedule = "auto";  // its order is open
  const CostTable table = test::oddCosts();
  EXPECT_FALSE(expectedPlan(experiment, variant, &table));
}

}  // namespace
}  // namespace stagelane::predict
