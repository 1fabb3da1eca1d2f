#include "engine/plan/fixed_plan.h"

#include <gtest/gtest.h>

#include "tests/engine/plan/documents.h"

namespace stagelane::plan {
namespace {

using testing::good;
using testing::toyWith;

Experiment openPlan() {
  return good(toyWith(R"([{"name": "best", "strategy": "pipeline", "split_size": 5,
      "placement": "optimal"}, {"name": "searched", "strategy": "pipeline", "split_size": 5,
      "schedule": "auto", "placement": {"net1": "cpu:0", "relu": "cpu:0", "net2": "cpu:1"}},
      {"name": "mine", "strategy": "pipeline", "split_size": 5,
      "placement": {"net1": "cpu:0", "relu": "cpu:0", "net2": "cpu:1"}}])"));
}

/// As a search might answer.
Experiment found() {
  Experiment experiment = openPlan();
  for (Variant& variant : experiment.variants) {
    variant.stages = {{0, 0, DeviceId{"cpu:0"}}, {1, 2, DeviceId{"cpu:1"}}};
    variant.open.reset();
  }
  experiment.variants[1].order = "gpipe";
  return experiment;
}

TEST(FixedPlan, FixesWhatIsOpenAndNothingElse) {
  Experiment experiment = openPlan();
  const std::vector<Stage> mine = experiment.variants[2].stages;
  ASSERT_NE(experiment.variants[0].open, nullptr);
  ASSERT_TRUE(applyFixedPlan(fixedPlan(found()), "plan.json", experiment));
  EXPECT_EQ(experiment.variants[0].open, nullptr);
  EXPECT_EQ(experiment.variants[0].stages, found().variants[0].stages);
  EXPECT_EQ(experiment.variants[0].placement["net1"], "cpu:0");
  EXPECT_EQ(experiment.variants[1].order, "gpipe");
  EXPECT_EQ(experiment.variants[2].stages, mine);
}

TEST(FixedPlan, OfOpenStagesSaysNothing) {
  const Json plan = fixedPlan(openPlan());
  EXPECT_FALSE(plan["variants"].contains("best"));
  EXPECT_TRUE(plan["variants"].contains("mine"));
  Experiment experiment = openPlan();
  ASSERT_TRUE(applyFixedPlan(plan, "plan.json", experiment));
  EXPECT_NE(experiment.variants[0].open, nullptr);
}

TEST(FixedPlan, OfAnotherModelOrMachineIsRefused) {
  for (const char* stages : {R"([{"first": "layer9", "device": "cpu:0"}])",
                             R"([{"first": "net1", "device": "cpu:7"}])", "3"}) {
    Json plan = fixedPlan(found());
    plan["variants"]["best"]["stages"] = testing::parsed(stages);
    Experiment experiment = openPlan();
    const Status status = applyFixedPlan(plan, "plan.json", experiment);
    ASSERT_FALSE(status) << stages;
    EXPECT_EQ(status.error().code, ErrorCode::Invalid);
    EXPECT_EQ(status.error().context.rfind("plan.json:/variants/best/stages", 0), 0U)
        << status.error().context;
  }
  Experiment experiment = openPlan();
  EXPECT_FALSE(applyFixedPlan(Json::object(), "plan.json", experiment));
}

}  // namespace
}  // namespace stagelane::plan
