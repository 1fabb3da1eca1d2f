// The parts of a step beside forward, backward and transfers: host time, reductions, clipping,
// recomputing, inference, temporary memory.

#include <gmock/gmock.h>

#include <algorithm>

#include "engine/predict/simulator.h"
#include "engine/schedule/text_forms.h"
#include "tests/engine/predict/costs.h"

namespace stagelane::predict {
namespace {

using testing::costs;
using ::testing::ElementsAre;
using testing::lowered;
using testing::startsAndEnds;

TEST(HostTime, ComesBeforeEachComputeAction) {
  PlanCosts plan = costs(1, 1);
  plan.actionOverheadNs = 3;
  const auto list = lowered("single", 1, 1);
  const auto simulation = *simulate(list, plan);
  // F 3–13, LOSS at 16, B 19–39, OPT at 42.
  EXPECT_EQ(startsAndEnds(list, simulation, 0, ActionKind::Forward, 0).start, 3);
  EXPECT_EQ(startsAndEnds(list, simulation, 0, ActionKind::Backward, 0).start, 19);
  EXPECT_EQ(simulation.stepNs, 42);
  EXPECT_THAT(simulation.busyNs, ElementsAre(30));
}

/// A pipeline of two stages that share a parameter: a REDUCE before each OPT.
schedule::LoweredSchedule tiedPair() {
  schedule::LoweredSchedule list = lowered("gpipe", 2, 1);
  list.tied = {{0, 1}};
  for (int row = 0; row < 2; ++row) {
    auto& actions = list.actions[static_cast<std::size_t>(row)];
    const auto already = std::find_if(actions.begin(), actions.end(), [](const auto& action) {
      return action.kind == ActionKind::Reduce;
    });
    if (already != actions.end()) continue;
    actions.insert(actions.end() - 1, {ActionKind::Reduce, StageId{row}, MicroBatchId{}, -1});
  }
  return list;
}

TEST(Reduce, WaitsForTheLastWeightGradientOfItsGroup) {
  for (const bool contended : {false, true}) {
    PlanCosts plan = costs(2, 1);
    for (auto& stage : plan.stage) {
      stage[0].reduce = 4;
      stage[0].optimizer = 2;
    }
    if (contended) plan.contention = {{2, 1.0}};
    const auto list = tiedPair();
    const auto simulation = simulate(list, plan);
    ASSERT_TRUE(simulation);
    // B of stage 1 ends at 40, of stage 0 at 60.
    EXPECT_EQ(startsAndEnds(list, *simulation, 1, ActionKind::Reduce, -1).start, 60);
    EXPECT_EQ(startsAndEnds(list, *simulation, 1, ActionKind::Optimizer, -1).start, 64);
    EXPECT_EQ(simulation->stepNs, 66);
    EXPECT_THAT(simulation->busyNs, ElementsAre(32, 32));
    EXPECT_EQ(bound(list, plan)->stepNs, 62);
  }
}

TEST(Clipping, LetsEveryOptimizerStepWaitForAllGradients) {
  PlanCosts plan = costs(2, 1);
  for (auto& stage : plan.stage) stage[0].optimizer = 2;
  const auto list = lowered("gpipe", 2, 1);
  EXPECT_EQ(startsAndEnds(list, *simulate(list, plan), 1, ActionKind::Optimizer, -1).start, 40);
  plan.optimizerWaitsForAll = true;
  EXPECT_EQ(startsAndEnds(list, *simulate(list, plan), 1, ActionKind::Optimizer, -1).start, 60);
}

TEST(Memory, CountsTemporaryBytesWhileTheirActionRuns) {
  PlanCosts plan = costs(1, 2, {10, 20, 0, 100});
  plan.residentBytes = {1000};
  plan.stage[0][0].temporaryBytes = 7;
  plan.stage[0][1].temporaryBytes = 500;
  // F0 F1 B0 B1: with the second micro-batch both are kept.
  EXPECT_THAT(simulate(lowered("gpipe", 1, 2), plan)->peakBytes, ElementsAre(1000 + 200 + 500));
  // F0 B0 F1 B1: one at a time.
  EXPECT_THAT(simulate(lowered("single", 1, 2), plan)->peakBytes, ElementsAre(1000 + 100 + 500));
}

TEST(Memory, CountsWeightGradientsFromTheFirstBackwardToTheUpdate) {
  PlanCosts plan = costs(1, 2, {10, 20, 0, 100});
  plan.residentBytes = {1000};
  for (StageCost& cost : plan.stage[0]) {
    cost.temporaryBytes = 20;
    cost.gradientBytes = 300;
    cost.firstBackwardBytes = 50;
  }
  // F0 F1 B1 B0: the first backward has both micro-batches, the second one the gradients.
  EXPECT_THAT(simulate(lowered("gpipe", 1, 2), plan)->peakBytes, ElementsAre(700 + 100 + 300 + 20));
  const auto halves = schedule::fromCsv("0F0,0F1,0I0,0I1,0W0,0W1\n", "test");
  EXPECT_THAT(simulate(schedule::lower(*halves), plan)->peakBytes,
              ElementsAre(700 + 100 + 300 + 20));
  for (StageCost& cost : plan.stage[0]) cost.firstBackwardBytes = 280;
  EXPECT_THAT(simulate(lowered("gpipe", 1, 2), plan)->peakBytes, ElementsAre(700 + 200 + 280));
  plan.stage[0].resize(1);
  EXPECT_THAT(simulate(lowered("single", 1, 1), plan)->peakBytes, ElementsAre(700 + 100 + 280));
}

TEST(Memory, BringsRecomputedBytesBackForTheBackwardOnly) {
  PlanCosts plan = costs(1, 2, {10, 20, 0, 10});
  for (StageCost& cost : plan.stage[0]) cost.recomputedBytes = 90;
  EXPECT_THAT(simulate(lowered("gpipe", 1, 2), plan)->peakBytes, ElementsAre(20 + 90));
  // Between I and W the recomputed bytes of both stay.
  const auto halves = schedule::fromCsv("0F0,0F1,0I0,0I1,0W0,0W1\n", "test");
  EXPECT_THAT(simulate(schedule::lower(*halves), plan)->peakBytes, ElementsAre(200));
}

TEST(Memory, CountsOutputsAndTheirLoss) {
  PlanCosts plan = costs(1, 3, {10, 20, 0, 100});
  for (StageCost& cost : plan.stage[0]) {
    cost.outputBytes = 10;
    cost.lossBytes = 30;
  }
  // One loss after another: at the last one three micro-batches and their outputs (or gradients).
  EXPECT_THAT(simulate(lowered("gpipe", 1, 3), plan)->peakBytes, ElementsAre(300 + 30 + 30));
  EXPECT_THAT(simulate(lowered("single", 1, 3), plan)->peakBytes, ElementsAre(100 + 10 + 30));
  // One loss of the whole batch.
  const auto whole = lowered("tutorial", 1, 3);
  EXPECT_THAT(simulate(whole, plan)->peakBytes, ElementsAre(300 + 30 + 90));
  const auto trace = toTrace(whole, *simulate(whole, plan), {DeviceId{"cpu:0"}}, plan);
  const std::vector<double>& memory = trace->counters().at(0).values;
  EXPECT_EQ(*std::max_element(memory.begin(), memory.end()), 300 + 30 + 90);
  // The output's gradient is freed when the backward begins, which counts it itself.
  for (StageCost& cost : plan.stage[0]) cost.temporaryBytes = 45;
  EXPECT_THAT(simulate(lowered("single", 1, 3), plan)->peakBytes, ElementsAre(100 + 45));
}

TEST(Memory, OfInferenceIsOneMicroBatchAtATime) {
  PlanCosts plan = costs(1, 3, {10, 0, 0, 0});
  plan.forwardOnly = true;
  schedule::LoweredSchedule list;
  list.source = *schedule::generate("gpipe", {1, 3, 1});
  list.actions.resize(1);
  for (int k = 0; k < 3; ++k) {
    list.actions[0].push_back({ActionKind::Forward, StageId{0}, MicroBatchId{k}, -1});
  }
  const auto simulation = *simulate(list, plan);
  EXPECT_THAT(simulation.peakLiveMicroBatches, ElementsAre(1));
  EXPECT_EQ(simulation.stepNs, 30);
}

}  // namespace
}  // namespace stagelane::predict
