#include "tests/engine/run/schedule_grid.h"

namespace stagelane::run {
namespace {

using namespace test;

TEST(Schedules, AreAllExactOnTwoWorkersAtAnUnevenTail) {
  for (const GridSchedule& schedule : everySchedule()) {
    SCOPED_TRACE(schedule.name);
    expectExactOn(mlpModel(), schedule, 2, Tail::Uneven);
  }
}

TEST(Schedules, OfTwoStagesADeviceAreExactOnThreeWorkers) {
  for (const GridSchedule& schedule : everySchedule()) {
    if (schedule.chunks > 1) {
      SCOPED_TRACE(schedule.name);
      expectExactOn(mlpModel(), schedule, 3, Tail::Even);
    }
  }
}

TEST(Schedules, WithHalvesAreExactWithBatchNormAndResiduals) {
  for (const GridSchedule& schedule : everySchedule()) {
    if (schedule.name == "zb-h2" || schedule.name == "v-min") {
      SCOPED_TRACE(schedule.name);
      expectExactOn(resnetModel(), schedule, 2, Tail::Uneven);
    }
  }
}

TEST(Schedules, AreExactOnTokensWithDropoutAndATiedHead) {
  for (const GridSchedule& schedule : everySchedule()) {
    SCOPED_TRACE(schedule.name);
    expectExactOn(gptModel(), schedule, 2, Tail::Uneven);
  }
}

TEST(Schedules, AreExactWhenRecomputing) {
  for (const plan::Recompute mode : {plan::Recompute::Always, plan::Recompute::ExceptLast}) {
    for (const GridSchedule& schedule : everySchedule()) {
      if (schedule.name == "1f1b" || schedule.name == "zbv" || schedule.name == "tutorial") {
        SCOPED_TRACE(schedule.name);
        expectExactOn(mlpModel(), schedule, 2, Tail::Uneven, {mode});
        expectExactOn(gptModel(), schedule, 2, Tail::Uneven, {mode});
      }
    }
    expectExactOn(resnetModel(), {"zb-h1", 1, StageLayout::OnePerDevice}, 2, Tail::Uneven, {mode});
  }
}

TEST(Schedules, AreExactInFloat64AndEqualTheUndividedBatch) {
  for (const GridSchedule& schedule : everySchedule()) {
    SCOPED_TRACE(schedule.name);
    const GridModel model = mlpModel();
    Bench bench(gridExperiment(model, schedule, 2, Tail::Uneven, "float64"));
    const GradientVerdict verdict = bench.check("v");
    EXPECT_TRUE(verdict.result.bitEqual) << verdict.worst;
    ASSERT_TRUE(verdict.result.fullBatchError);
    EXPECT_LE(*verdict.result.fullBatchError, 1e-12);
  }
}

TEST(Schedules, OfMoreStagesThanTheModelHasBlocksAreRefused) {
  const Json document = valueOf(parseJson(
      R"({"stagelane":1,"name":"g","model":{"zoo":"toy"},"input":{"shape":[10]},
      "data":{"labels":"normal","batch_size":8},"devices":["cpu:0","cpu:1"],"variants":[{"name":"v",
      "strategy":"pipeline","schedule":"zbv","split_size":2,"chunks":2,"placement":"optimal"}]})",
      "test"));
  const auto experiment = plan::readExperiment(document, ".", {});
  ASSERT_FALSE(experiment);
  EXPECT_EQ(experiment.error().code, ErrorCode::Invalid);
}

}  // namespace
}  // namespace stagelane::run
