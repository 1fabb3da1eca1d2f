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
      if (action.kind == kind && action.microBatch.value == microBatch) {
        return {&action, sinceNs};
      }
    }
    throw std::runtime_error("no such action");
  }
  std::string blame(const std::vector<RowActivity>& rows) const {
    return describe(stallError(plan, rows, 7'000'000'000));
  }

  Bench bench;
  StepPlan plan;
};

TEST(Stall, IsTheFaultOfTheRowThatDoesNotEndItsAction) {
  const TwoRows two;
  const std::string text =
      two.blame({two.at(0, ActionKind::RecvBackward, 0, 1), two.at(1, ActionKind::Forward, 0, 2)});
  EXPECT_THAT(text, HasSubstr("cpu:1 does not end its F of stage 1, micro-batch 0"));
  EXPECT_THAT(text, HasSubstr("variant p, cpu:1, F of stage 1, micro-batch 0"));
  EXPECT_THAT(text, HasSubstr("7"));
}

TEST(Stall, IsTheFaultOfTheRowThatHasBeenAtWorkForLonger) {
  const TwoRows two;
  EXPECT_THAT(
      two.blame({two.at(0, ActionKind::Forward, 2, 5), two.at(1, ActionKind::Forward, 0, 2)}),
      HasSubstr("cpu:1 does not end its F"));
}

TEST(Stall, IsALostTensorEvenWhereAnotherRowDoesNotEnd) {
  const TwoRows two;
  const std::string text = two.blame(
      {two.at(0, ActionKind::RecvBackward, 1, 5), two.at(1, ActionKind::Optimizer, -1, 2)});
  EXPECT_THAT(text, HasSubstr("cpu:0 waits at RECV_B of stage 0, micro-batch 1"));
  EXPECT_THAT(text, HasSubstr("nothing came from cpu:1, which has sent it"));
}

TEST(Stall, IsALostTensorWhereItsSenderHasEnded) {
  const TwoRows two;
  EXPECT_THAT(two.blame({two.at(0, ActionKind::RecvBackward, 3, 5), {nullptr, 0}}),
              HasSubstr("which has sent it"));
}

TEST(Stall, OfRowsThatWaitForEachOtherNamesTheFirst) {
  const TwoRows two;
  const std::string text = two.blame(
      {two.at(0, ActionKind::RecvBackward, 0, 5), two.at(1, ActionKind::RecvForward, 3, 2)});
  EXPECT_THAT(text, HasSubstr("cpu:"));
  EXPECT_THAT(text, HasSubstr("nothing came from"));
}

}  // namespace
}  // namespace stagelane::run
