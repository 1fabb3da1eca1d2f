#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "engine/predict/peak_bounds.h"
#include "engine/predict/prediction.h"
#include "engine/predict/variant_schedule.h"
#include "profiler/analysis/analyzer.h"
#include "tests/engine/plan/documents.h"
#include "tests/engine/predict/costs.h"
#include "tests/engine/schedule/replicas.h"
#include "tests/support/temporary_folder.h"

namespace stagelane::predict {
namespace {

using analysis::Cause;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

/// F 10, B 20, transfers 5, REDUCE 8, OPT 2, and 6 on row 1.
PlanCosts twoReplicaCosts() {
  PlanCosts plan = testing::costs(2, 3, {10, 20, 5, 1});
  plan.residentBytes.assign(4, 0);
  for (auto& stage : plan.stage) {
    for (StageCost& cost : stage) {
      cost.reduce = 8;
      cost.reduceBytes = 640;
      cost.optimizer = 2;
    }
  }
  plan.stage[0][1].optimizer = 6;  // the first micro-batch of row 1
  return plan;
}

TEST(Replicas, ReduceTogetherWhenTheLastOfThemArrives) {
  const auto list = schedule::testing::twoReplicas();
  for (const bool contended : {false, true}) {
    PlanCosts plan = twoReplicaCosts();
    if (contended) plan.contention = {{2, 1.0}};
    const auto simulation = simulate(list, plan);
    ASSERT_TRUE(simulation) << describe(simulation.error());
    const auto at = [&](std::size_t row, ActionKind kind, int microBatch = -1) {
      const Played played = testing::startsAndEnds(list, *simulation, row, kind, microBatch);
      return std::pair(played.start, played.end);
    };
    EXPECT_EQ(at(1, ActionKind::Backward, 1), std::pair(TimeNs{50}, TimeNs{70}));
    EXPECT_EQ(at(0, ActionKind::Backward, 2), std::pair(TimeNs{80}, TimeNs{100}));
    EXPECT_EQ(at(0, ActionKind::Reduce), std::pair(TimeNs{100}, TimeNs{108}));
    EXPECT_EQ(at(1, ActionKind::Reduce), std::pair(TimeNs{100}, TimeNs{108}));
    EXPECT_EQ(at(2, ActionKind::Reduce), std::pair(TimeNs{75}, TimeNs{83}));
    EXPECT_EQ(at(3, ActionKind::Reduce), std::pair(TimeNs{75}, TimeNs{83}));
    EXPECT_EQ(simulation->stepNs, 114);
    EXPECT_THAT(simulation->busyNs, ElementsAre(62, 36, 62, 32)) << "a REDUCE is not busy";
    EXPECT_THAT(simulation->peakLiveMicroBatches, ElementsAre(2, 1, 1, 1));
  }
}

TEST(Replicas, IdleOfTheEarlyOneIsStarvedByTheLastOne) {
  const auto list = schedule::testing::twoReplicas();
  const PlanCosts plan = twoReplicaCosts();
  const auto trace = toTrace(list, *simulate(list, plan), {{"a"}, {"b"}, {"c"}, {"d"}}, plan);
  const analysis::Analyzer analyzer(*trace);
  const auto step = analyzer.breakDown(trace->steps().front());
  const auto cause = [&](std::size_t device, Cause of) {
    return step.devices[device].causeNs[static_cast<std::size_t>(of)];
  };
  // Until the gradient of its own micro-batch by d (35), before the REDUCE by a (30).
  EXPECT_THAT(step.devices[1].starvedBy, ElementsAre(Pair(0, 30), Pair(3, 35)));
  EXPECT_EQ(cause(1, Cause::TransferWait), 5 + 8);
  EXPECT_THAT(step.devices[3].starvedBy, ElementsAre(Pair(2, 30)));
  EXPECT_EQ(cause(3, Cause::TransferWait), 8);
  EXPECT_THAT(step.devices[0].starvedBy, ElementsAre(Pair(2, 25 + 5))) << "it waits for nobody";
  for (std::size_t device = 0; device < 4; ++device) EXPECT_EQ(cause(device, Cause::Host), 0);

  // From b's OPT through the REDUCE to a, which arrived last.
  const auto path = analyzer.criticalPath(step);
  ASSERT_GE(path.size(), 3U);
  const auto back = [&path](std::size_t number) { return path[path.size() - number]; };
  EXPECT_EQ(back(1).device, 1);
  EXPECT_EQ(back(1).cause, Cause::Optimizer);
  EXPECT_EQ(back(2).device, 1);
  EXPECT_EQ(back(2).cause, Cause::TransferWait);
  EXPECT_EQ(back(3).device, 0);
  EXPECT_EQ(back(3).cause, Cause::Backward);
}

TEST(Replicas, CountWhatTheirReduceMoves) {
  const auto list = schedule::testing::twoReplicas();
  const PlanCosts plan = twoReplicaCosts();
  // Rows 0 and 2 send and receive four boundaries of 100 bytes, the others two.
  EXPECT_THAT(transferBytes(list, plan), ElementsAre(1040, 840, 1040, 840));
  const auto trace = toTrace(list, *simulate(list, plan), {}, plan);
  for (std::size_t i = 0; i < trace->size(); ++i) {
    if (trace->categories()[i] == trace::Category::Reduce) {
      ASSERT_NE(trace->transferOf(i), nullptr);
      EXPECT_EQ(trace->transferOf(i)->bytes, 640);
    }
  }
}

/// The toy model in two stages on both CPU workers, with links of their own.
plan::Experiment replicatedToy() {
  plan::Experiment experiment = plan::testing::good(plan::testing::toyWith(
      R"([{"name": "p", "strategy": "pipeline", "schedule": "gpipe", "split_size": 5,
           "placement": {"net1": "cpu:0", "relu": "cpu:1", "net2": "cpu:1"}}])"));
  const std::vector<DeviceId> both{{"cpu:0"}, {"cpu:1"}};
  for (plan::Stage& stage : experiment.variants[0].stages) stage.group = plan::DeviceGroup(both);
  return experiment;
}

/// The same on two GPUs, which have no memory in common.
plan::Experiment onGpus(plan::Experiment experiment) {
  experiment.devices = {{DeviceId{"cuda:0"}, {}, {}, 1.0}, {DeviceId{"cuda:1"}, {}, {}, 1.0}};
  const std::vector<DeviceId> both{{"cuda:0"}, {"cuda:1"}};
  for (plan::Stage& stage : experiment.variants[0].stages) stage.group = plan::DeviceGroup(both);
  return experiment;
}

constexpr std::string_view kCosts = R"({"stagelane_costs": 1, "blocks": [
    {"name": "net1", "points": [{"samples": 5, "F_ns": 100, "I_ns": 40, "W_ns": 60}]},
    {"name": "relu", "points": [{"samples": 5, "F_ns": 10, "I_ns": 7, "W_ns": 0}]},
    {"name": "net2", "points": [{"samples": 5, "F_ns": 50, "I_ns": 20, "W_ns": 30}]}],
    "links": [{"from": "cuda:0", "to": "cuda:1", "latency_ns": 5, "bytes_per_s": 1e9},
              {"from": "cuda:1", "to": "cuda:0", "latency_ns": 7, "bytes_per_s": 2e9}]})";

PlanCosts costsOf(const plan::Experiment& experiment, const CostTable& table) {
  const auto costs = planCosts(experiment, experiment.variants[0], &table);
  EXPECT_TRUE(costs) << (costs ? "" : describe(costs.error()));
  return costs.value_or(PlanCosts{});
}

TEST(Replicas, AreLoweredByTheNameOfASchedule) {
  const plan::Experiment experiment = replicatedToy();
  plan::Variant variant = experiment.variants[0];
  variant.schedule = "looped-bfs";
  const auto lowered = lowerVariant(experiment, variant);
  ASSERT_TRUE(lowered) << describe(lowered.error());
  EXPECT_EQ(lowered->actions.size(), 2U);
  variant.schedule = "auto";
  variant.order = "looped-bfs";
  EXPECT_TRUE(lowerVariant(experiment, variant)) << "a published order";
}

TEST(Replicas, AreRefusedInRowsFromAFileOrASearch) {
  const plan::Experiment experiment = replicatedToy();
  const std::string rows = "0F0,0F1,0B0,0B1\n1F0,1F1,1B0,1B1\n";
  const test::TemporaryFolder folder;
  const std::string file = (folder / "rows.csv").string();
  ASSERT_TRUE(writeFileAtomically(file, rows));
  plan::Variant fromFile = experiment.variants[0];
  fromFile.schedule = "csv:" + file;
  plan::Variant searched = experiment.variants[0];
  searched.schedule = "auto";
  searched.order = rows;
  for (const plan::Variant& variant : {fromFile, searched}) {
    const auto lowered = lowerVariant(experiment, variant);
    ASSERT_FALSE(lowered) << variant.schedule;
    EXPECT_EQ(lowered.error().code, ErrorCode::Invalid);
    EXPECT_EQ(lowered.error().context, "/variants/0/schedule (variant \"p\")");
    EXPECT_THAT(lowered.error().message, HasSubstr("stage 0 has 2 replicas"));
  }
}

TEST(Replicas, ReduceInARingAsLongAsItsSlowestLink) {
  const CostTable table = *costTableFromJson(plan::testing::parsed(std::string(kCosts)), "t");
  const PlanCosts costs = costsOf(onGpus(replicatedToy()), table);
  // net1 has 110 parameters and net2 55: halves of 220 and 110 bytes, twice, at 1 ns a byte.
  EXPECT_EQ(costs.stage[0][0].reduce, 2 * (5 + 220));
  EXPECT_EQ(costs.stage[0][0].reduceBytes, 2 * 440);
  EXPECT_EQ(costs.stage[1][3].reduce, 2 * (5 + 110));
  EXPECT_EQ(costs.stage[0][0].sendForward, 0) << "micro-batches stay on their device";
  ASSERT_EQ(costs.residentBytes.size(), 2U);
  EXPECT_EQ(costs.residentBytes[0], costs.residentBytes[1]) << "each has a copy of both stages";
  // The sums, and half of the other replica's gradients.
  EXPECT_EQ(costs.stage[0][0].reduceHeldBytes, 440 + 220);
}

TEST(Replicas, OnCpuWorkersReadAllGradientsAndWriteTheirPart) {
  CostTable table = *costTableFromJson(plan::testing::parsed(std::string(kCosts)), "t");
  table.links.clear();
  const plan::Experiment experiment = replicatedToy();
  const PlanCosts costs = costsOf(experiment, table);
  // Of 440 bytes, each of two reads two halves and writes one: 660 bytes at 25 GB/s.
  EXPECT_EQ(costs.stage[0][0].reduce, 26);
  EXPECT_EQ(costs.stage[0][0].reduceBytes, 2 * 440) << "as the run counts them";
  EXPECT_EQ(costs.stage[0][0].reduceHeldBytes, 220) << "the sums of its half";
  // A measured update, which streams three times the parameters, tells the speed of the memory.
  table.optimizerNs["net1"] = 1320;
  EXPECT_EQ(costsOf(experiment, table).stage[0][0].reduce, 660);
}

TEST(Replicas, HoldTheirSumsUntilTheUpdate) {
  const auto list = schedule::testing::twoReplicas();
  PlanCosts plan = twoReplicaCosts();
  for (auto& stage : plan.stage) {
    for (StageCost& cost : stage) {
      cost.savedBytes = 1;
      cost.reduceHeldBytes = 50;
    }
  }
  const auto simulation = simulate(list, plan);
  ASSERT_TRUE(simulation);
  EXPECT_THAT(simulation->peakBytes, ElementsAre(50, 50, 50, 50));
  const auto bounds = peakBounds(list, plan);
  for (const PeakBounds& row : bounds) {
    EXPECT_EQ(row.low, 50);
    EXPECT_GE(row.high, row.low);
  }
}

/// The toy model with all blocks in one stage on both workers, in two micro-batches of 5.
plan::Experiment dataParallelToy() {
  plan::Experiment experiment = plan::testing::good(
      plan::testing::toyWith(R"([{"name": "d", "strategy": "data_parallel", "split_size": 5}])"));
  experiment.data.batchSize = 10;
  return experiment;
}

TEST(DataParallel, IsHalfTheWorkThenTheSumAndEveryReplicasUpdate) {
  CostTable table = *costTableFromJson(plan::testing::parsed(std::string(kCosts)), "t");
  table.links.clear();
  table.optimizerNs = {{"net1", 1320}, {"net2", 660}};
  const plan::Experiment experiment = dataParallelToy();
  const auto plan = predictPlan(experiment, experiment.variants[0], &table);
  ASSERT_TRUE(plan) << describe(plan.error());
  // One micro-batch each: F 160, B 157. 660 bytes of gradients are summed in (2 + 1) / 2 / 3 of
  // the update's 1980.
  EXPECT_EQ(plan->stepNs, 160 + 157 + 990 + 1980);
  EXPECT_EQ(plan->simulation.busyNs, std::vector<TimeNs>(2, 160 + 157 + 1980));
  EXPECT_EQ(plan->bound.stepNs, 160 + 157 + 1980);
  EXPECT_EQ(plan->lowerBoundNs, plan->bound.stepNs) << "replicas all run the update";
  EXPECT_EQ(plan->devices[0].peakBytes, plan->devices[1].peakBytes);
}

TEST(DataParallel, WithAccumulationTakesTurns) {
  const CostTable table = *costTableFromJson(plan::testing::parsed(std::string(kCosts)), "t");
  plan::Experiment experiment = dataParallelToy();
  experiment.data.batchSize = 25;
  const auto plan = predictPlan(experiment, experiment.variants[0], &table);
  ASSERT_TRUE(plan) << describe(plan.error());
  EXPECT_THAT(plan->simulation.busyNs, ElementsAre(3 * 317, 2 * 317));
}

TEST(DataParallel, BoundLetsReplicasShareABlock) {
  CostTable table = *costTableFromJson(plan::testing::parsed(std::string(kCosts)), "t");
  plan::Experiment experiment = dataParallelToy();
  EXPECT_EQ(*cutBound(experiment, experiment.variants[0], &table), 160 + 157);
  experiment.devices[1] = {DeviceId{"sim:0"}, {}, DeviceId{"cpu:1"}, 3.0};
  experiment.variants[0].stages[0].group =
      plan::DeviceGroup(std::vector<DeviceId>{{"cpu:0"}, {"sim:0"}});
  table.optimizerNs = {{"net1", 300}, {"net2", 60}};
  // Both have half of the work, but the bound lets the faster one have three quarters of it and of
  // both updates.
  EXPECT_EQ(*cutBound(experiment, experiment.variants[0], &table), (634 + 720) / 4);
}

}  // namespace
}  // namespace stagelane::predict
