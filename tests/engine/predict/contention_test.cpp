#include <gmock/gmock.h>

#include <algorithm>
#include <random>

#include "engine/predict/simulator.h"
#include "tests/engine/predict/costs.h"

namespace stagelane::predict {
namespace {

using testing::costs;
using ::testing::ElementsAre;
using testing::lowered;
using testing::startsAndEnds;

TEST(Contention, StretchesActionsWhileOthersRun) {
  PlanCosts plan = costs(2, 2);
  plan.contention = {{2, 1.5}};
  const auto list = lowered("gpipe", 2, 2);
  const auto simulation = simulate(list, plan);
  ASSERT_TRUE(simulation);
  // F0 alone 0–10; F1 beside the other's F0 10–25; F1 alone 25–35; B alone 35–55; two B 55–85.
  EXPECT_EQ(simulation->stepNs, 105);
  EXPECT_THAT(simulation->busyNs, ElementsAre(75, 75));
}

TEST(Contention, ChangesPaceInTheMiddleOfAnAction) {
  PlanCosts plan = costs(2, 2);
  for (StageCost& cost : plan.stage[1]) cost.forward = 4;
  plan.contention = {{2, 1.5}};
  const auto list = lowered("gpipe", 2, 2);
  const auto simulation = *simulate(list, plan);
  // Both run from 10 on; row 1 ends its 4 at 16, row 0 does its last 6 alone.
  EXPECT_EQ(startsAndEnds(list, simulation, 1, ActionKind::Forward, 0).end, 16);
  EXPECT_EQ(startsAndEnds(list, simulation, 0, ActionKind::Forward, 1).end, 22);
  EXPECT_EQ(startsAndEnds(list, simulation, 1, ActionKind::Forward, 1).start, 22);
}

TEST(Contention, LeavesRowsOutThatDoNotContend) {
  PlanCosts plan = costs(2, 2);
  plan.contention = {{2, 1.5}};
  plan.contends = {true, false};
  EXPECT_EQ(simulate(lowered("gpipe", 2, 2), plan)->stepNs, 90);
}

TEST(Contention, TakesStraightLinesBetweenTheCountsAndTheLastAboveThem) {
  // All rows compute from the start: p stages that do not depend on each other.
  const auto stepOf = [](int rows, std::map<int, double> contention) {
    PlanCosts plan = costs(rows, 1, {100, 0, 0, 0});
    plan.contention = std::move(contention);
    schedule::LoweredSchedule list;
    list.source = *schedule::generate("gpipe", {rows, 1, 1});
    for (int row = 0; row < rows; ++row) {
      list.actions.push_back({{ActionKind::Optimizer, StageId{row}, MicroBatchId{}, -1}});
      plan.stage[static_cast<std::size_t>(row)][0].optimizer = 100;
    }
    return simulate(list, plan)->stepNs;
  };
  EXPECT_EQ(stepOf(1, {{2, 1.5}}), 100);
  EXPECT_EQ(stepOf(2, {{2, 1.5}}), 150);
  EXPECT_EQ(stepOf(3, {{2, 1.5}}), 150);
  EXPECT_EQ(stepOf(3, {{2, 1.5}, {4, 2.5}}), 200);
  EXPECT_EQ(stepOf(2, {{3, 2.0}}), 150);
  EXPECT_EQ(stepOf(1, {{1, 1.1}, {2, 1.5}}), 110);
}

PlanCosts randomCosts(std::mt19937& random, int stages, int microBatches) {
  PlanCosts plan = costs(stages, microBatches);
  const auto upTo = [&](unsigned most) { return static_cast<TimeNs>(random() % most); };
  for (auto& stage : plan.stage) {
    for (StageCost& cost : stage) {
      cost.forward = upTo(1000);
      cost.backward = upTo(2000);
      cost.loss = upTo(50);
      cost.optimizer = upTo(300);
      cost.sendForward = upTo(500);
      cost.sendBackward = upTo(500);
    }
  }
  plan.actionOverheadNs = random() % 2 == 0 ? 0 : upTo(40);
  plan.transfersBlock = random() % 3 == 0;
  return plan;
}

TEST(Contention, OfFactorOneIsNoContention) {
  std::mt19937 random(11);
  for (int round = 0; round < 300; ++round) {
    const int p = 1 + static_cast<int>(random() % 5);
    const int m = 1 + static_cast<int>(random() % 8);
    PlanCosts plan = randomCosts(random, p, m);
    const auto list = lowered(round % 2 == 0 ? "1f1b" : "gpipe", p, m);
    const auto alone = *simulate(list, plan);
    plan.contention = {{2, 1.0}};
    const auto together = *simulate(list, plan);
    ASSERT_EQ(alone.stepNs, together.stepNs);
    ASSERT_EQ(alone.busyNs, together.busyNs);
    ASSERT_EQ(alone.peakBytes, together.peakBytes);
    for (std::size_t row = 0; row < alone.actions.size(); ++row) {
      for (std::size_t i = 0; i < alone.actions[row].size(); ++i) {
        ASSERT_EQ(alone.actions[row][i].start, together.actions[row][i].start);
        ASSERT_EQ(alone.actions[row][i].end, together.actions[row][i].end);
      }
    }
  }
}

// For any costs: no action begins before its inputs are ready, a row does one thing at a time, and
// the step takes no longer than all work in sequence.
TEST(Simulate, NeverBeginsAnActionBeforeWhatItNeeds) {
  std::mt19937 random(12);
  for (int round = 0; round < 300; ++round) {
    const int p = 1 + static_cast<int>(random() % 5);
    const int m = 1 + static_cast<int>(random() % 8);
    PlanCosts plan = randomCosts(random, p, m);
    if (round % 3 != 0) plan.contention = {{2, 1.0 + static_cast<double>(random() % 100) / 100.0}};
    const auto list = lowered(round % 2 == 0 ? "1f1b" : "gpipe", p, m);
    const auto simulation = simulate(list, plan);
    ASSERT_TRUE(simulation);
    for (int s = 0; s < p; ++s) {
      TimeNs free = 0;
      for (std::size_t i = 0; i < list.actions[static_cast<std::size_t>(s)].size(); ++i) {
        const Played& played = simulation->actions[static_cast<std::size_t>(s)][i];
        ASSERT_LE(played.start, played.end);
        if (!isCompute(list.actions[static_cast<std::size_t>(s)][i].kind)) continue;
        ASSERT_GE(played.start, free + plan.actionOverheadNs);
        free = played.end;
      }
      for (int k = 0; k < m; ++k) {
        const auto at = [&](int stage, ActionKind kind) {
          return startsAndEnds(list, *simulation, static_cast<std::size_t>(stage), kind, k);
        };
        const StageCost& cost =
            plan.stage[static_cast<std::size_t>(s)][static_cast<std::size_t>(k)];
        ASSERT_GE(at(s, ActionKind::Backward).start, at(s, ActionKind::Forward).end);
        if (s + 1 == p) continue;
        ASSERT_GE(at(s + 1, ActionKind::Forward).start,
                  at(s, ActionKind::Forward).end + cost.sendForward);
        ASSERT_GE(at(s, ActionKind::Backward).start, at(s + 1, ActionKind::Backward).end);
      }
    }
  }
}

TEST(StepSimulator, SaysWhatTheFullSimulationSaysStepAfterStep) {
  std::mt19937 random(13);
  StepSimulator simulator;
  for (int round = 0; round < 200; ++round) {
    const int p = 1 + static_cast<int>(random() % 5);
    const int m = 1 + static_cast<int>(random() % 8);
    PlanCosts plan = randomCosts(random, p, m);
    if (round % 2 == 0) plan.contention = {{2, 1.3}};
    const auto list = lowered(round % 3 == 0 ? "1f1b" : "gpipe", p, m);
    const auto figures = simulator.play(list, plan);
    ASSERT_TRUE(figures);
    const auto whole = *simulate(list, plan);
    EXPECT_EQ((*figures)->stepNs, whole.stepNs);
    EXPECT_EQ((*figures)->busyNs, whole.busyNs);
    EXPECT_EQ((*figures)->peakBytes, whole.peakBytes);
    EXPECT_EQ((*figures)->peakLiveMicroBatches, whole.peakLiveMicroBatches);
  }
}

TEST(Contention, StillNamesADeadlock) {
  auto list = lowered("1f1b", 2, 2);
  auto& row = list.actions[0];
  row.erase(std::find_if(row.begin(), row.end(), [](const schedule::LoweredAction& action) {
    return action.kind == ActionKind::SendForward && action.microBatch.value == 1;
  }));
  PlanCosts plan = costs(2, 2);
  plan.contention = {{2, 1.5}};
  const auto simulation = simulate(list, plan);
  ASSERT_FALSE(simulation);
  EXPECT_NE(simulation.error().message.find("waits forever"), std::string::npos);
}

}  // namespace
}  // namespace stagelane::predict
