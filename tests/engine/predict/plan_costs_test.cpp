#include "engine/predict/plan_costs.h"
#include "engine/predict/variant_schedule.h"

#include <gmock/gmock.h>

#include "engine/predict/simulator.h"
#include "tests/engine/plan/documents.h"

namespace stagelane::predict {
namespace {

using plan::testing::good;
using plan::testing::parsed;
using plan::testing::toyWith;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// The toy model's three blocks, measured at 2 and 6 samples.
CostTable toyTable() {
  return *costTableFromJson(parsed(R"({"stagelane_costs": 1, "blocks": [
    {"name": "net1", "points": [
      {"samples": 2, "F_ns": 100, "I_ns": 40, "W_ns": 70, "B_ns": 100, "saved_bytes": 20,
       "temp_bytes": 8, "output_bytes": 200},
      {"samples": 6, "F_ns": 200, "I_ns": 80, "W_ns": 140, "B_ns": 200, "saved_bytes": 60,
       "temp_bytes": 24, "output_bytes": 600}]},
    {"name": "relu", "points": [
      {"samples": 2, "F_ns": 10, "I_ns": 7, "W_ns": 0, "saved_bytes": 2, "temp_bytes": 9,
       "output_bytes": 200}]},
    {"name": "net2", "points": [
      {"samples": 2, "F_ns": 50, "I_ns": 20, "W_ns": 30, "B_ns": 48, "saved_bytes": 4,
       "temp_bytes": 1, "output_bytes": 40},
      {"samples": 4, "F_ns": 60, "I_ns": 25, "W_ns": 35, "B_ns": 56, "saved_bytes": 8,
       "temp_bytes": 2, "output_bytes": 80}]}],
    "optimizer_ns": {"net1": 11, "net2": 13},
    "links": [{"from": "cpu:0", "to": "cpu:1", "latency_ns": 5, "bytes_per_s": 1e9},
              {"from": "cpu:1", "to": "cpu:0", "latency_ns": 7, "bytes_per_s": 0}],
    "loss": [{"samples": 4, "F_ns": 6}]})"),
                            "t");
}

plan::Experiment toy(const std::string& more = "", int split = 4) {
  Json document = toyWith(R"([{"name": "p", "strategy": "pipeline", "schedule": "gpipe",
      "split_size": )" + std::to_string(split) +
                          R"(, "placement": {"net1": "cpu:0", "relu": "cpu:1", "net2": "cpu:1"})" +
                          more + "}]");
  document["data"]["batch_size"] = 9;
  return good(document);
}

PlanCosts costsOf(const plan::Experiment& experiment, const CostTable& table,
                  const WhatIf& whatIf = {}) {
  const auto costs = planCosts(experiment, experiment.variants[0], &table, whatIf);
  EXPECT_TRUE(costs) << (costs ? "" : describe(costs.error()));
  return costs ? *costs : PlanCosts{};
}

TEST(PlanCosts, AddUpTheBlocksBetweenTheMeasuredSizes) {
  const CostTable table = toyTable();
  const plan::Experiment experiment = toy();
  const PlanCosts costs = costsOf(experiment, table);
  EXPECT_EQ(costs.basis, Basis::File);
  ASSERT_EQ(costs.stage.size(), 2U);
  ASSERT_EQ(costs.stage[0].size(), 3U);  // 4, 4 and 1 samples
  // net1 at 4 samples is halfway between 2 and 6.
  const StageCost& first = costs.stage[0][0];
  EXPECT_EQ(first.forward, 150);
  EXPECT_EQ(first.backward, 150);
  EXPECT_EQ(first.savedBytes, 40);
  EXPECT_EQ(first.temporaryBytes, 16);
  EXPECT_EQ(first.boundaryBytes, 400);
  EXPECT_EQ(first.optimizer, 11);
  EXPECT_EQ(first.loss, 0);
  EXPECT_EQ(first.sendForward, 5 + 400);
  // relu was measured at 2 samples only, so 4 cost twice as much: 20 and 14; net2 60, 25, 35, 56.
  const StageCost& second = costs.stage[1][0];
  EXPECT_EQ(second.forward, 20 + 60);
  EXPECT_EQ(second.backwardInput, 14 + 25);
  EXPECT_EQ(second.backwardWeight, 35);
  EXPECT_EQ(second.backward, 14 + 56);
  EXPECT_EQ(second.savedBytes, 4 + 8);
  EXPECT_EQ(second.temporaryBytes, 18);
  EXPECT_EQ(second.optimizer, 13);
  EXPECT_EQ(second.loss, 6);
  EXPECT_EQ(second.sendBackward, 7);
  EXPECT_EQ(second.sendForward, 0);
}

TEST(PlanCosts, TakeASmallTailInProportionToTheSmallestSize) {
  const PlanCosts costs = costsOf(toy(), toyTable());
  EXPECT_EQ(costs.stage[0][2].forward, 50);
  EXPECT_EQ(costs.stage[1][2].forward, 5 + 25);
  EXPECT_EQ(costs.stage[1][2].loss, 2);  // 1.5 rounded
}

TEST(PlanCosts, TakeALargeMicroBatchInProportionToTheLargestSize) {
  const PlanCosts costs = costsOf(toy("", 9), toyTable());
  ASSERT_EQ(costs.stage[0].size(), 1U);
  EXPECT_EQ(costs.stage[0][0].forward, 300);
}

TEST(PlanCosts, GiveTheFirstStageNoInputGradient) {
  const PlanCosts costs = costsOf(toy(), toyTable());
  EXPECT_EQ(costs.stage[0][0].backwardInput, 0);
  EXPECT_EQ(costs.stage[0][0].backwardWeight, costs.stage[0][0].backward);
}

TEST(PlanCosts, AddWhatItCostsToAddUpGradientsFromTheSecondMicroBatchOn) {
  CostTable table = toyTable();
  table.blocks[0].accumulateNs = 25;
  table.blocks[2].accumulateNs = 3;
  const PlanCosts costs = costsOf(toy(), table);
  EXPECT_EQ(costs.stage[0][0].backward, 150);
  EXPECT_EQ(costs.stage[0][1].backward, 175);
  EXPECT_EQ(costs.stage[0][1].backwardWeight, 175);
  EXPECT_EQ(costs.stage[1][1].backwardWeight, 35 + 3);
  EXPECT_EQ(costs.stage[1][1].backwardInput, 39);
}

TEST(PlanCosts, PreferTheDevicesOwnPointsAndItsThreads) {
  CostTable table = toyTable();
  BlockCosts own = table.blocks[0];
  own.device = DeviceId{"cpu:0"};
  for (CostPoint& point : own.points) point.forward *= 3;
  own.optimizerNs = 99;
  BlockCosts wide = table.blocks[0];
  wide.threads = 8;
  for (CostPoint& point : wide.points) point.forward *= 5;
  table.blocks.push_back(own);
  table.blocks.push_back(wide);
  const PlanCosts costs = costsOf(toy(), table);
  EXPECT_EQ(costs.stage[0][0].forward, 450);
  EXPECT_EQ(costs.stage[0][0].optimizer, 99);
}

TEST(PlanCosts, EstimateAVariantWhoseThreadsWereNotMeasured) {
  CostTable table = toyTable();
  for (BlockCosts& block : table.blocks) block.threads = 1;
  plan::Experiment experiment = toy();
  EXPECT_EQ(costsOf(experiment, table).basis, Basis::File);
  experiment.variants[0].threads = 2;
  EXPECT_EQ(costsOf(experiment, table).basis, Basis::Estimate);
}

TEST(PlanCosts, NameTheBlockThatTheTableLacks) {
  CostTable table = toyTable();
  table.blocks[1].device = DeviceId{"cpu:0"};
  const plan::Experiment experiment = toy();
  const auto costs = planCosts(experiment, experiment.variants[0], &table);
  ASSERT_FALSE(costs);
  EXPECT_EQ(costs.error().code, ErrorCode::Invalid);
  EXPECT_THAT(costs.error().message, HasSubstr("\"relu\" on cpu:1"));
}

TEST(PlanCosts, CountTheOutputsAndTheLossOnTheLastStage) {
  plan::Experiment experiment = toy();
  const PlanCosts squared = costsOf(experiment, toyTable());
  EXPECT_EQ(squared.stage[0][0].outputBytes, 0);
  EXPECT_EQ(squared.stage[0][0].lossBytes, 0);
  EXPECT_EQ(squared.stage[1][0].outputBytes, 80);
  EXPECT_EQ(squared.stage[1][0].lossBytes, 80);
  experiment.loss = plan::LossKind::CrossEntropy;
  EXPECT_EQ(costsOf(experiment, toyTable()).stage[1][0].lossBytes, 3 * 80);
  experiment.task = plan::Task::Infer;
  EXPECT_EQ(costsOf(experiment, toyTable()).stage[1][0].lossBytes, 0);
}

TEST(PlanCosts, RefuseFiguresThatAddUpToTooMuch) {
  CostTable table = toyTable();
  for (BlockCosts& block : table.blocks) {
    for (CostPoint& point : block.points) point.forward = 1'000'000'000'000'000;
  }
  const plan::Experiment experiment = toy("", 1);
  const auto costs = planCosts(experiment, experiment.variants[0], &table);
  ASSERT_FALSE(costs);
  EXPECT_EQ(costs.error().code, ErrorCode::Invalid);
  EXPECT_EQ(costs.error().context, "/variants/0");
  EXPECT_THAT(costs.error().message, HasSubstr("116 days"));

  CostTable slow = toyTable();
  slow.links[0].bytesPerSecond = 1e-300;
  EXPECT_FALSE(planCosts(experiment, experiment.variants[0], &slow));
}

TEST(PlanCosts, TakeTheModelsOwnBytesWhereTheTableSaysNone) {
  CostTable table = toyTable();
  for (CostPoint& point : table.blocks[0].points) point.outputBytes = kUnknownBytes;
  const PlanCosts costs = costsOf(toy(), table);
  EXPECT_EQ(costs.stage[0][0].boundaryBytes, 4 * 10 * 4);
}

TEST(PlanCosts, RunTheForwardAgainUnderRecompute) {
  plan::Experiment experiment = toy();
  experiment.variants[0].recompute = plan::Recompute::Always;
  const CostTable table = toyTable();
  const PlanCosts costs = costsOf(experiment, table);
  EXPECT_EQ(costs.stage[0][0].backward, 150 + 150);
  EXPECT_EQ(costs.stage[0][0].backwardWeight, 150 + 150);
  EXPECT_EQ(costs.stage[0][0].savedBytes, 0);  // its input is part of the batch
  EXPECT_EQ(costs.stage[0][0].recomputedBytes, 40);
  EXPECT_EQ(costs.stage[1][0].backward, 70 + 80);
  EXPECT_EQ(costs.stage[1][0].backwardInput, 39 + 80);
  EXPECT_EQ(costs.stage[1][0].backwardWeight, 35);
  EXPECT_EQ(costs.stage[1][0].savedBytes, 400);
  EXPECT_EQ(costs.stage[1][0].recompute, 80);
}

TEST(PlanCosts, LeaveTheLastMicroBatchOutOfRecomputeWhereAsked) {
  plan::Experiment experiment = toy();
  experiment.variants[0].recompute = plan::Recompute::ExceptLast;
  const PlanCosts costs = costsOf(experiment, toyTable());
  EXPECT_EQ(costs.stage[0][1].recompute, 150);
  EXPECT_EQ(costs.stage[0][2].recompute, 0);
  EXPECT_EQ(costs.stage[0][2].savedBytes, 10);
}

TEST(PlanCosts, OfInferenceAreForwardsAlone) {
  plan::Experiment experiment = toy();
  const PlanCosts training = costsOf(experiment, toyTable());
  experiment.task = plan::Task::Infer;
  const PlanCosts costs = costsOf(experiment, toyTable());
  EXPECT_TRUE(costs.forwardOnly);
  for (const auto& stage : costs.stage) {
    for (const StageCost& cost : stage) {
      EXPECT_GT(cost.forward, 0);
      EXPECT_EQ(cost.backward + cost.backwardInput + cost.backwardWeight, 0);
      EXPECT_EQ(cost.loss + cost.optimizer + cost.sendBackward + cost.savedBytes, 0);
    }
  }
  // Parameters without gradients.
  EXPECT_EQ(2 * costs.residentBytes[0], training.residentBytes[0]);
}

TEST(PlanCosts, TakeAnImaginedDeviceAsWhatItIsLikeAtItsSpeed) {
  plan::Experiment experiment = toy();
  experiment.devices[0].speed = 2.0;
  const PlanCosts costs = costsOf(experiment, toyTable());
  EXPECT_EQ(costs.stage[0][0].forward, 75);
  EXPECT_EQ(costs.stage[1][0].forward, 80);
}

TEST(PlanCosts, CarryOverheadAndContention) {
  CostTable table = toyTable();
  table.actionOverheadNs = 8;
  table.contention = {{2, 1.5}};
  const PlanCosts costs = costsOf(toy(), table);
  EXPECT_EQ(costs.actionOverheadNs, 8);
  EXPECT_EQ(costs.contention.at(2), 1.5);
  EXPECT_THAT(costs.contends, ElementsAre(true, true));
}

TEST(CutBound, IsTheLargestOfShareBlockAndWay) {
  const plan::Experiment experiment = toy();
  const CostTable table = toyTable();
  const auto bound = cutBound(experiment, experiment.variants[0], &table);
  ASSERT_TRUE(bound);
  // net1 at 4, 4 and 1 samples: 300 + 300 + 100, and its optimizer step: the most expensive block,
  // more than half of all work.
  EXPECT_EQ(*bound, 300 + 300 + 100 + 11);
}

TEST(CutBound, IsNoMoreThanTheStepOfAnyCut) {
  const CostTable table = toyTable();
  for (const int split : {1, 2, 3, 4, 9}) {
    const plan::Experiment first = toy("", split);
    plan::Experiment second = first;
    second.variants[0].stages = {{0, 1, DeviceId{"cpu:0"}}, {2, 2, DeviceId{"cpu:1"}}};
    const TimeNs bound = *cutBound(first, first.variants[0], &table);
    EXPECT_EQ(bound, *cutBound(second, second.variants[0], &table));
    for (const plan::Experiment* experiment :
         std::vector<const plan::Experiment*>{&first, &second}) {
      const auto lowered = *lowerVariant(*experiment, experiment->variants[0]);
      EXPECT_LE(bound, simulate(lowered, costsOf(*experiment, table))->stepNs) << split;
    }
  }
}

TEST(CutBound, KeepsTheOrderOfTheDevicesIfEachHasOneStage) {
  const CostTable table = toyTable();
  const plan::Experiment experiment = toy("", 9);
  WhatIf slowFirst;
  slowFirst.devices = {{DeviceId{"cpu:0"}, 100.0}};
  const auto bound = [&](Cuts cuts) {
    return *cutBound(experiment, experiment.variants[0], &table, slowFirst, cuts);
  };
  // net1 at 9 samples takes 300 forward and back, and its optimizer step 11.
  EXPECT_EQ(bound(Cuts::OneStageEach), 100 * (300 + 300 + 11));
  // Other plans leave nearly everything to cpu:1.
  EXPECT_LT(bound(Cuts::Any), 1000);
}

TEST(CutBound, AllowsForWorkersThatSpeedEachOtherUp) {
  const plan::Experiment experiment = toy();
  CostTable table = toyTable();
  const TimeNs bound = *cutBound(experiment, experiment.variants[0], &table);
  table.contention = {{2, 0.5}, {3, 1.5}};
  EXPECT_EQ(leastFactor(table.contention), 0.5);
  EXPECT_EQ(*cutBound(experiment, experiment.variants[0], &table), bound / 2);
  WhatIf without;
  without.contention = 0.0;
  EXPECT_EQ(*cutBound(experiment, experiment.variants[0], &table, without), bound);
}

WhatIf whatIf(const plan::Experiment& experiment, std::vector<std::string> texts) {
  WhatIf changes;
  for (const std::string& text : texts) {
    const auto status = addWhatIf(text, experiment, changes);
    EXPECT_TRUE(status) << (status ? "" : describe(status.error()));
  }
  return changes;
}

TEST(WhatIf, MultipliesTheTimesOfADeviceABlockAndTheLinks) {
  const plan::Experiment experiment = toy();
  const CostTable table = toyTable();
  const auto costs = [&](std::vector<std::string> texts) {
    return costsOf(experiment, table, whatIf(experiment, std::move(texts)));
  };
  const PlanCosts device = costs({"cpu:1 x0.5"});
  EXPECT_EQ(device.stage[0][0].forward, 150);
  EXPECT_EQ(device.stage[1][0].forward, 40);
  EXPECT_EQ(device.stage[1][0].backward, 35);
  EXPECT_EQ(device.stage[1][0].loss, 3);
  const PlanCosts block = costs({"net2 x2"});
  EXPECT_EQ(block.stage[1][0].forward, 20 + 120);
  EXPECT_EQ(block.stage[1][0].optimizer, 26);
  EXPECT_EQ(costs({"links=free"}).stage[0][0].sendForward, 0);
  EXPECT_EQ(costs({"links x2"}).stage[0][0].sendForward, 810);
  const PlanCosts both = costs({"net2 x2", "cpu:1 x0.5"});
  EXPECT_EQ(both.stage[1][0].forward, (20 + 120) / 2);
}

TEST(WhatIf, TakesAPrefixAsAllItsBlocksAndNoOthers) {
  const plan::Experiment experiment =
      good(plan::testing::resnetWith(R"([{"name": "s", "strategy": "single"}])"));
  const WhatIf changes = whatIf(experiment, {"layer3 x0.8", "layer3.1 x0.5"});
  const auto factor = [&](const char* name) {
    return changes.ofBlock(static_cast<std::size_t>(experiment.model->blockNamed(name)->value));
  };
  EXPECT_DOUBLE_EQ(factor("layer3.0"), 0.8);
  EXPECT_DOUBLE_EQ(factor("layer3.1"), 0.4);
  EXPECT_DOUBLE_EQ(factor("layer2.0"), 1.0);
}

TEST(WhatIf, SaysWhichFormsItUnderstands) {
  const plan::Experiment experiment = toy();
  for (const char* text : {"", "faster", "cpu:1", "cpu:1 0.5", "cpu:1 x", "cpu:1 x-1", "cpu:1 xnan",
                           "cpu:7 x2", "net x2", "links=cheap", "net1=free ", "=free", " x2"}) {
    WhatIf changes;
    const auto status = addWhatIf(text, experiment, changes);
    if (std::string(text) == "net1=free ") {
      EXPECT_TRUE(status);  // a block that costs nothing
      continue;
    }
    ASSERT_FALSE(status) << text;
    EXPECT_EQ(status.error().code, ErrorCode::Invalid);
    EXPECT_THAT(status.error().hint, HasSubstr("links=free"));
    EXPECT_THAT(status.error().hint, HasSubstr("layer3 x0.8"));
  }
}

}  // namespace
}  // namespace stagelane::predict
