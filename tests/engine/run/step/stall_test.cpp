#include "engine/run/step/stall.h"

#include <gmock/gmock.h>

#include "tests/engine/run/run_fixture.h"

namespace stagelane::run {
namespace {

using namespace test;
using testing::HasSubstr;

/// Two rows of 1F1B over four micro-batches, each at an action of its list.
struct TwoRows {
  TwoRows()
      : bench(toy("20", R"("variants":[{"name":"p","strategy":"pipeline","schedule":"1f1b",
              "split_size":5,)" +
                            kToyStages + "}]")),
        plan(bench.variant("p").stepPlan(bench.experiment)) {}

  RowActivity at(std::size_t row, ActionKind kind, int microBatch, TimeNs sinceNs) const {
    for (const schedule::LoweredAction& action : plan.lowered->actions[row]) {
      if (action.kind == kind && action.microBatch.value == microBatch) return {&action, sinceNs};
    }
    throw std::runtime_error("no such action");
  }
  /// The error names the row's action and contains `words`.
  void expectBlame(const std::vector<RowActivity>& rows, std::size_t row,
                   const std::string& words) const {
    const Error error = stallError(plan, rows, 7'000'000'000);
    const schedule::LoweredAction& action = *rows[row].action;
    EXPECT_EQ(error.failure, (Failure{FailureKind::Stalled,
                                      "p",
                                      {row == 0 ? "cpu:0" : "cpu:1"},
                                      action.stage,
                                      action.microBatch,
                                      action.kind}));
    EXPECT_THAT(error.message, HasSubstr(words));
  }

  Bench bench;
  StepPlan plan;
};

TEST(Stall, IsTheFaultOfTheRowThatDoesNotEndItsAction) {
  const TwoRows two;
  two.expectBlame({two.at(0, ActionKind::RecvBackward, 0, 1), two.at(1, ActionKind::Forward, 0, 2)},
                  1, "cpu:1 did not finish F of stage 1, micro-batch 0");
}

TEST(Stall, IsTheFaultOfTheRowThatHasBeenAtWorkForLonger) {
  const TwoRows two;
  two.expectBlame({two.at(0, ActionKind::Forward, 2, 5), two.at(1, ActionKind::Forward, 0, 2)}, 1,
                  "cpu:1 did not finish");
}

TEST(Stall, IsALostTensorEvenWhereAnotherRowDoesNotEnd) {
  const TwoRows two;
  two.expectBlame(
      {two.at(0, ActionKind::RecvBackward, 1, 5), two.at(1, ActionKind::Optimizer, -1, 2)}, 0,
      "nothing arrived from cpu:1, which sent it");
}

TEST(Stall, IsALostTensorWhereItsSenderHasEnded) {
  const TwoRows two;
  two.expectBlame({two.at(0, ActionKind::RecvBackward, 3, 5), {nullptr, 0}}, 0, "which sent it");
}

/// A row of a GPU: its device has queued the action and not ended it.
RowActivity queued(RowActivity activity, std::int64_t step = 0) {
  activity.queued = true;
  activity.step = step;
  return activity;
}

TEST(Stall, IsTheFaultOfTheDeviceWhoseActionDoesNotEndNotOfTheRowThatWaitsForIt) {
  const TwoRows two;
  two.expectBlame(
      {queued(two.at(0, ActionKind::Forward, 1, 5)), two.at(1, ActionKind::RecvForward, 1, 2)}, 0,
      "cpu:0 did not finish F of stage 0, micro-batch 1");
}

TEST(Stall, OfADeviceThatIsAStepBehindIsNotALostTensor) {
  const TwoRows two;
  RowActivity waiting = two.at(1, ActionKind::RecvForward, 0, 9);
  waiting.step = 1;
  // OPT comes after the send in the list, but it is that of the step before.
  two.expectBlame({queued(two.at(0, ActionKind::Optimizer, -1, 5), 0), waiting}, 0,
                  "cpu:0 did not finish OPT");
}

TEST(Stall, IsALostTensorWhereItsSenderIsAStepAhead) {
  const TwoRows two;
  two.expectBlame(
      {queued(two.at(0, ActionKind::Forward, 0, 5), 1), two.at(1, ActionKind::RecvForward, 3, 2)},
      1, "which sent it");
}

TEST(Stall, OfAQueuedReceiveIsNotALostTensor) {
  const TwoRows two;
  two.expectBlame({queued(two.at(0, ActionKind::RecvBackward, 0, 5)), {nullptr, 0}}, 0,
                  "cpu:0 did not finish RECV_B");
}

TEST(Stall, OfAQueuedReceiveIsTheFaultOfTheDeviceThatStillComputesTheTensor) {
  const TwoRows two;
  two.expectBlame({queued(two.at(0, ActionKind::RecvBackward, 0, 1)),
                   queued(two.at(1, ActionKind::Backward, 0, 7))},
                  1, "cpu:1 did not finish B of stage 1, micro-batch 0");
}

TEST(Stall, OfRowsThatWaitForEachOtherNamesTheFirst) {
  const TwoRows two;
  two.expectBlame(
      {two.at(0, ActionKind::RecvBackward, 0, 5), two.at(1, ActionKind::RecvForward, 3, 2)}, 0,
      "nothing arrived from cpu:1");
}

}  // namespace
}  // namespace stagelane::run
