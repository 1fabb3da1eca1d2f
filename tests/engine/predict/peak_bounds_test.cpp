#include "engine/predict/peak_bounds.h"
#include "engine/predict/variant_schedule.h"

#include <gtest/gtest.h>

#include "tests/engine/plan/documents.h"
#include "tests/engine/predict/costs.h"

namespace stagelane::predict {
namespace {

using testing::costs;
using testing::lowered;

/// Of one stage: 100 bytes of parameters and as many gradients, 10 kept and 3 temporary.
PlanCosts plain(int microBatches) {
  PlanCosts plan = costs(1, microBatches, {.savedBytes = 10});
  for (StageCost& cost : plan.stage[0]) {
    cost.temporaryBytes = 3;
    cost.boundaryBytes = 0;
  }
  plan.residentBytes = {200};
  plan.updates = {{.early = 100, .gradients = 100, .optimizerPeak = 7}};
  return plan;
}

TEST(PeakBounds, GoFromWhatIsHeldBetweenActionsToAGradientBesideEachKeptTensor) {
  const auto bounds = peakBounds(lowered("gpipe", 1, 4), plain(4));
  ASSERT_EQ(bounds.size(), 1U);
  // After the first B three micro-batches are kept beside parameters and gradients.
  EXPECT_EQ(bounds[0].low, 100 + 100 + 3 * 10);
  // In the first B all four are, and its temporary tensors twice, and gradients of what it keeps.
  EXPECT_EQ(bounds[0].high, 200 + 4 * 10 + 3 + 3 + 10);
}

TEST(PeakBounds, CountGradientsFromTheFirstBackwardOnWhereTheyAreLarge) {
  PlanCosts plan = plain(2);
  plan.residentBytes = {5};
  plan.updates = {};
  // Without known gradients: parameters, and both micro-batches.
  EXPECT_EQ(peakBounds(lowered("gpipe", 1, 2), plan)[0].low, 5 + 2 * 10);
}

TEST(PeakBounds, CountAnUpdatesTensorsWhereTheyAreMost) {
  PlanCosts plan = plain(1);
  plan.updates[0].optimizerPeak = 70;
  EXPECT_EQ(peakBounds(lowered("gpipe", 1, 1), plan)[0].high, 200 + 70);
}

TEST(PeakBounds, KeepGradientsFromTheInputHalfToTheWeightHalf) {
  PlanCosts plan = costs(2, 4, {.savedBytes = 10});
  for (auto& stage : plan.stage) {
    for (StageCost& cost : stage) cost.boundaryBytes = 0;
  }
  const auto whole = peakBounds(lowered("1f1b", 2, 4), plan);
  const auto halves = peakBounds(lowered("zb-h2", 2, 4), plan);
  const auto simulated = simulate(lowered("zb-h2", 2, 4), plan);
  ASSERT_TRUE(simulated);
  for (std::size_t row = 0; row < 2; ++row) {
    EXPECT_LE(halves[row].low, simulated->peakBytes[row]);
    EXPECT_GT(halves[row].high, simulated->peakBytes[row]);
  }
  EXPECT_GT(halves[1].high, whole[1].high);
}

TEST(PeakBounds, OfForwardsAloneHaveNoGradients) {
  Json document = plan::testing::toyWith(R"([{"name": "p", "strategy": "pipeline", "split_size": 2,
      "schedule": "gpipe", "placement": {"net1": "cpu:0", "relu": "cpu:1", "net2": "cpu:1"}}])");
  document["task"] = "infer";
  const plan::Experiment experiment = plan::testing::good(document);
  const auto list = lowerVariant(experiment, experiment.variants[0]);
  const auto plan = planCosts(experiment, experiment.variants[0], nullptr);
  ASSERT_TRUE(list && plan);
  // No activations are kept: between two actions only the parameters are allocated.
  EXPECT_EQ(peakBounds(*list, *plan)[0].low, plan->residentBytes[0]);
}

TEST(PeakBounds, HoldThePredictedPeakBetweenThemOfEveryScheduleOfARealModel) {
  for (const char* schedule : {"tutorial", "gpipe", "1f1b", "zb-h1", "zb-h2"}) {
    for (const char* recompute : {"never", "always"}) {
      SCOPED_TRACE(std::string(schedule) + " " + recompute);
      const plan::Experiment experiment = plan::testing::good(plan::testing::toyWith(
          std::string(R"([{"name": "p", "strategy": "pipeline", "split_size": 2, "recompute": ")") +
          recompute + R"(", "schedule": ")" + schedule +
          R"(", "placement": {"net1": "cpu:0", "relu": "cpu:1", "net2": "cpu:1"}}])"));
      const auto list = lowerVariant(experiment, experiment.variants[0]);
      ASSERT_TRUE(list);
      const auto plan = planCosts(experiment, experiment.variants[0], nullptr);
      ASSERT_TRUE(plan);
      const auto simulated = simulate(*list, *plan);
      ASSERT_TRUE(simulated);
      const auto bounds = peakBounds(*list, *plan);
      ASSERT_EQ(bounds.size(), simulated->peakBytes.size());
      for (std::size_t row = 0; row < bounds.size(); ++row) {
        EXPECT_GT(bounds[row].low, 0);
        EXPECT_LT(bounds[row].low, simulated->peakBytes[row]);
        EXPECT_GT(bounds[row].high, simulated->peakBytes[row]);
      }
    }
  }
}

}  // namespace
}  // namespace stagelane::predict
