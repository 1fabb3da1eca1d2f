#include "engine/predict/simulator.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>

#include "engine/schedule/text_forms.h"
#include "tests/engine/predict/costs.h"

namespace stagelane::predict {
namespace {

using testing::costs;
using ::testing::ElementsAre;
using testing::lowered;
using testing::startsAndEnds;
using testing::Unit;

TEST(Simulate, PlaysATwoDevicePipelineToTheNanosecond) {
  const auto list = lowered("1f1b", 2, 2);
  const auto simulation = simulate(list, costs(2, 2, {10, 20, 3, 1}));
  ASSERT_TRUE(simulation);
  // Row 0: F0 0–10, F1 10–20, B0 after the gradient: F0 arrives at 13, F 13–23, B 23–43, 46.
  EXPECT_EQ(startsAndEnds(list, *simulation, 0, ActionKind::Forward, 1).end, 20);
  EXPECT_EQ(startsAndEnds(list, *simulation, 1, ActionKind::Forward, 0).start, 13);
  EXPECT_EQ(startsAndEnds(list, *simulation, 1, ActionKind::Backward, 0).end, 43);
  EXPECT_EQ(startsAndEnds(list, *simulation, 0, ActionKind::Backward, 0).start, 46);
  EXPECT_EQ(startsAndEnds(list, *simulation, 0, ActionKind::Backward, 0).end, 66);
  // Row 1: F1 43–53, B1 53–73; its gradient arrives at 76.
  EXPECT_EQ(startsAndEnds(list, *simulation, 1, ActionKind::Backward, 1).end, 73);
  EXPECT_EQ(startsAndEnds(list, *simulation, 0, ActionKind::Backward, 1).start, 76);
  EXPECT_EQ(simulation->stepNs, 96);
  EXPECT_THAT(simulation->busyNs, ElementsAre(60, 60));
}

TEST(Simulate, LetsAReceiveBeginWhenTheDataIsReadyAtTheSender) {
  const auto list = lowered("1f1b", 2, 2);
  const auto simulation = *simulate(list, costs(2, 2, {10, 20, 3, 1}));
  const Played receive = startsAndEnds(list, simulation, 1, ActionKind::RecvForward, 1);
  // F1 is ready at 20, but device 1 is busy until 43.
  EXPECT_EQ(receive.start, 20);
  EXPECT_EQ(receive.end, 23);
}

TEST(Simulate, LetsTransfersOfOneLinkFollowEachOther) {
  const auto list = lowered("gpipe", 2, 3);
  const auto simulation = *simulate(list, costs(2, 3, {10, 20, 25, 1}));
  EXPECT_EQ(startsAndEnds(list, simulation, 0, ActionKind::SendForward, 0).start, 10);
  EXPECT_EQ(startsAndEnds(list, simulation, 0, ActionKind::SendForward, 1).start, 35);
  EXPECT_EQ(startsAndEnds(list, simulation, 0, ActionKind::SendForward, 2).end, 85);
  // The receive of the second began when it was ready, at 20, and waited for the link.
  EXPECT_EQ(startsAndEnds(list, simulation, 1, ActionKind::RecvForward, 1).start, 20);
  EXPECT_EQ(startsAndEnds(list, simulation, 1, ActionKind::RecvForward, 1).end, 60);
}

TEST(Simulate, LetsTheTwoDirectionsOfALinkOverlap) {
  const auto list = lowered("1f1b", 2, 3);
  const auto simulation = *simulate(list, costs(2, 3, {10, 10, 30, 1}));
  const Played forward = startsAndEnds(list, simulation, 0, ActionKind::SendForward, 1);
  const Played backward = startsAndEnds(list, simulation, 1, ActionKind::SendBackward, 0);
  EXPECT_LT(std::max(forward.start, backward.start), std::min(forward.end, backward.end));
}

TEST(Simulate, HoldsBothEndsWhereTransfersBlock) {
  const auto list = lowered("gpipe", 2, 2);
  PlanCosts plan = costs(2, 2, {10, 20, 5, 1});
  plan.transfersBlock = true;
  const auto simulation = *simulate(list, plan);
  EXPECT_EQ(startsAndEnds(list, simulation, 0, ActionKind::SendForward, 0).end, 15);
  EXPECT_EQ(startsAndEnds(list, simulation, 0, ActionKind::Forward, 1).start, 15);
  EXPECT_EQ(startsAndEnds(list, simulation, 1, ActionKind::Forward, 0).start, 15);
  // Device 1 is free at 25; the second tensor was sent from 25 to 30.
  EXPECT_EQ(startsAndEnds(list, simulation, 1, ActionKind::Forward, 1).start, 30);
  const auto overlapped = *simulate(list, costs(2, 2, {10, 20, 5, 1}));
  EXPECT_GT(simulation.stepNs, overlapped.stepNs);
}

TEST(Simulate, TakesLossAndOptimizerIntoTheStep) {
  const auto list = lowered("single", 1, 2);
  PlanCosts plan = costs(1, 2);
  for (StageCost& cost : plan.stage[0]) {
    cost.loss = 2;
    cost.optimizer = 7;
  }
  const auto simulation = *simulate(list, plan);
  EXPECT_EQ(simulation.stepNs, 2 * (10 + 2 + 20) + 7);
  EXPECT_THAT(simulation.busyNs, ElementsAre(71));
}

TEST(Simulate, TakesTheOneLossOfTheTutorialAsTheSumOfItsMicroBatches) {
  const auto list = lowered("tutorial", 1, 3);
  PlanCosts plan = costs(1, 3);
  for (StageCost& cost : plan.stage[0]) cost.loss = 4;
  EXPECT_EQ(simulate(list, plan)->stepNs, 3 * 10 + 3 * 4 + 3 * 20);
}

TEST(Simulate, GivesAnUnevenTailItsOwnCost) {
  const auto list = lowered("gpipe", 2, 2);
  PlanCosts plan = costs(2, 2);
  for (auto& stage : plan.stage) stage[1].forward = 1;
  const auto simulation = *simulate(list, plan);
  EXPECT_EQ(startsAndEnds(list, simulation, 0, ActionKind::Forward, 1).end, 11);
}

TEST(Simulate, CountsMemoryFromForwardToTheLastBackwardHalf) {
  PlanCosts plan = costs(2, 4, {10, 20, 0, 100});
  plan.residentBytes = {1000, 2000};
  const auto gpipe = *simulate(lowered("gpipe", 2, 4), plan);
  EXPECT_THAT(gpipe.peakBytes, ElementsAre(1400, 2400));
  EXPECT_THAT(gpipe.peakLiveMicroBatches, ElementsAre(4, 4));
  const auto alternating = *simulate(lowered("1f1b", 2, 4), plan);
  EXPECT_THAT(alternating.peakBytes, ElementsAre(1200, 2100));
  // W later than I keeps the activations alive.
  const auto halves = schedule::fromCsv("0F0,0I0,0F1,0I1,0W0,0W1\n", "test");
  const auto delayed = *simulate(schedule::lower(*halves), costs(1, 2, {10, 20, 0, 100}));
  EXPECT_THAT(delayed.peakLiveMicroBatches, ElementsAre(2));
}

TEST(Simulate, NamesTheActionThatADeadlockStopsAt) {
  const auto crossed = schedule::fromCsv("0F0,0B0,0F1,0B1\n1F0,1F1,1B0,1B1\n", "test");
  const auto simulation = simulate(schedule::lower(*crossed), costs(2, 2));
  ASSERT_FALSE(simulation);
  EXPECT_EQ(simulation.error().code, ErrorCode::Invalid);
  EXPECT_NE(simulation.error().message.find("device row 0"), std::string::npos);
  EXPECT_NE(simulation.error().message.find("RECV_B0 (stage 0, micro-batch 0)"), std::string::npos);
}

TEST(Simulate, NamesAReceiveWhoseSendWasDropped) {
  auto list = lowered("1f1b", 2, 2);
  auto& row = list.actions[0];
  row.erase(std::find_if(row.begin(), row.end(), [](const schedule::LoweredAction& action) {
    return action.kind == ActionKind::SendForward && action.microBatch.value == 1;
  }));
  const auto simulation = simulate(list, costs(2, 2));
  ASSERT_FALSE(simulation);
  EXPECT_NE(simulation.error().message.find("waits forever"), std::string::npos);
}

TEST(Simulate, RefusesCostsThatDoNotCoverThePlan) {
  EXPECT_FALSE(simulate(lowered("1f1b", 2, 2), costs(1, 2)));
  EXPECT_FALSE(simulate(lowered("1f1b", 2, 2), costs(2, 1)));
  EXPECT_FALSE(simulate(lowered("1f1b", 2, 2), PlanCosts{}));
}

TEST(Simulate, PlaysZeroDurations) {
  const auto simulation = simulate(lowered("1f1b", 3, 4), costs(3, 4, {0, 0, 0, 0}));
  ASSERT_TRUE(simulation);
  EXPECT_EQ(simulation->stepNs, 0);
}

// p stages, m micro-batches: bubble (p − 1)(F + B) for GPipe and 1F1B; peak m and min(m, p − s).
TEST(Formulas, OfBubbleAndPeakHoldForAllSizes) {
  const Unit unit;
  for (int p = 1; p <= 8; ++p) {
    for (int m = 1; m <= 32; ++m) {
      const TimeNs work = m * (unit.forward + unit.backward);
      const TimeNs expected = work + (p - 1) * (unit.forward + unit.backward);
      for (const char* name : {"gpipe", "1f1b", "tutorial"}) {
        const auto simulation = *simulate(lowered(name, p, m), costs(p, m, unit));
        EXPECT_EQ(simulation.stepNs, expected) << name << " " << p << " " << m;
        for (int s = 0; s < p; ++s) {
          const auto row = static_cast<std::size_t>(s);
          EXPECT_EQ(simulation.busyNs[row], work);
          const int peak = name == std::string("1f1b") ? std::min(m, p - s) : m;
          EXPECT_EQ(simulation.peakLiveMicroBatches[row], peak) << name << " " << p << " " << m;
          EXPECT_EQ(simulation.peakBytes[row], peak);
        }
      }
    }
    const auto naive = *simulate(lowered("model_parallel", p, 1), costs(p, 1, unit));
    EXPECT_EQ(naive.stepNs, p * (unit.forward + unit.backward));
  }
}

// Unbalanced GPipe with free transfers: T = Σ t_s + (m − 1) max t_s, for forward and backward.
TEST(Formulas, OfUnbalancedGpipeHold) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    const int p = 1 + static_cast<int>(random() % 6);
    const int m = 1 + static_cast<int>(random() % 10);
    PlanCosts plan = costs(p, m);
    TimeNs sum = 0, worst = 0;
    for (auto& stage : plan.stage) {
      const auto time = static_cast<TimeNs>(1 + random() % 50);
      for (StageCost& cost : stage) {
        cost.forward = time;
        cost.backward = 2 * time;
      }
      sum += 3 * time;
      worst = std::max(worst, 3 * time);
    }
    EXPECT_EQ(simulate(lowered("gpipe", p, m), plan)->stepNs, sum + (m - 1) * worst);
  }
}

TEST(BoundOfAPlan, IsTheStepWithFreeTransfersBesideAPerfectCut) {
  const auto list = lowered("1f1b", 2, 4);
  PlanCosts plan = costs(2, 4, {10, 20, 50, 1});
  plan.transfersBlock = true;
  const auto answer = bound(list, plan);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->stepNs, 5 * 30);
  EXPECT_EQ(answer->perfectCutStepNs, 4 * 30);
  EXPECT_LT(answer->stepNs, simulate(list, plan)->stepNs);
}

TEST(BoundOfAPlan, IsNeverAboveTheSimulationAndNeverBelowThePerfectCut) {
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    const int p = 1 + static_cast<int>(random() % 5);
    const int m = 1 + static_cast<int>(random() % 8);
    PlanCosts plan = costs(p, m);
    for (auto& stage : plan.stage) {
      for (StageCost& cost : stage) {
        cost.forward = static_cast<TimeNs>(random() % 40);
        cost.backward = static_cast<TimeNs>(random() % 60);
        cost.sendForward = static_cast<TimeNs>(random() % 30);
        cost.sendBackward = static_cast<TimeNs>(random() % 30);
      }
    }
    plan.transfersBlock = round % 2 == 1;
    const auto list = lowered(round % 3 == 0 ? "gpipe" : "1f1b", p, m);
    const auto answer = bound(list, plan);
    ASSERT_TRUE(answer);
    EXPECT_LE(answer->stepNs, simulate(list, plan)->stepNs);
    EXPECT_GE(answer->stepNs, answer->perfectCutStepNs);
  }
}

TEST(BoundOfAPlan, IsNeverAboveTheStepOfWorkersThatSlowEachOtherDown) {
  std::mt19937 random(9);
  int shorterWithTransfers = 0;
  for (int round = 0; round < 300; ++round) {
    const int p = 2 + static_cast<int>(random() % 3);
    const int m = 1 + static_cast<int>(random() % 8);
    PlanCosts plan = costs(p, m);
    for (auto& stage : plan.stage) {
      const auto time = static_cast<TimeNs>(1 + random() % 100);
      for (StageCost& cost : stage) {
        cost.forward = time;
        cost.backward = 2 * time;
        cost.sendForward = static_cast<TimeNs>(random() % 30);
        cost.sendBackward = static_cast<TimeNs>(random() % 30);
      }
    }
    plan.contention = {{2, 1.6}, {3, 2.5}};
    const auto list = lowered(round % 2 == 0 ? "gpipe" : "1f1b", p, m);
    const TimeNs step = simulate(list, plan)->stepNs;
    const auto answer = bound(list, plan);
    ASSERT_TRUE(answer);
    EXPECT_LE(answer->stepNs, step);
    EXPECT_LE(answer->perfectCutStepNs, answer->stepNs);
    for (auto& stage : plan.stage) {
      for (StageCost& cost : stage) cost.sendForward = cost.sendBackward = 0;
    }
    if (simulate(list, plan)->stepNs > step) ++shorterWithTransfers;
  }
  EXPECT_GT(shorterWithTransfers, 0);
}

}  // namespace
}  // namespace stagelane::predict
