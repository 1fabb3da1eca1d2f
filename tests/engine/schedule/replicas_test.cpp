#include "tests/engine/schedule/replicas.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>

namespace stagelane::schedule {
namespace {

using testing::twoReplicas;

std::string rowText(const LoweredSchedule& lowered, std::size_t row) {
  std::string text;
  for (const LoweredAction& action : lowered.actions[row]) {
    if (!text.empty()) text += ' ';
    text += cell({action.kind, action.stage, action.microBatch});
    if (action.peer >= 0) text += "@" + std::to_string(action.peer);
  }
  return text;
}

/// The error of the schedule after a change.
std::string errorAfter(const std::function<void(LoweredSchedule&)>& change) {
  LoweredSchedule broken = twoReplicas();
  change(broken);
  const Status status = validate(broken);
  return status ? std::string() : status.error().message;
}

std::vector<LoweredAction>::iterator reduceOf(std::vector<LoweredAction>& row) {
  return std::find_if(row.begin(), row.end(), [](const LoweredAction& action) {
    return action.kind == ActionKind::Reduce;
  });
}

TEST(Replicas, SendToTheRowOfTheMicroBatchAndEachHaveAReduceAndAnOptimizerStep) {
  const LoweredSchedule lowered = twoReplicas();
  EXPECT_EQ(rowText(lowered, 0),
            "0F0 0SEND_F0@2 0F2 0SEND_F2@2 0RECV_B0@2 0B0 0RECV_B2@2 0B2 0REDUCE OPT");
  EXPECT_EQ(rowText(lowered, 1), "0F1 0SEND_F1@3 0RECV_B1@3 0B1 0REDUCE OPT");
  EXPECT_EQ(rowText(lowered, 2),
            "1RECV_F0@0 1F0 1LOSS0 1B0 1SEND_B0@0 1RECV_F2@0 1F2 1LOSS2 1B2 1SEND_B2@0 1REDUCE "
            "OPT");
  EXPECT_EQ(rowText(lowered, 3), "1RECV_F1@1 1F1 1LOSS1 1B1 1SEND_B1@1 1REDUCE OPT");
  const Status status = validate(lowered);
  EXPECT_TRUE(status) << describe(status.error());
}

TEST(Replicas, NeedAReduceOnEachRowAfterItsGradientsAndBeforeItsOptimizerStep) {
  EXPECT_EQ(errorAfter([](LoweredSchedule& list) {
              list.actions[1].erase(reduceOf(list.actions[1]));
              --list.actionCount;
            }),
            "device row 1: 0REDUCE (stage 0) is missing");
  EXPECT_EQ(errorAfter([](LoweredSchedule& list) {
              const auto reduce = reduceOf(list.actions[1]);
              std::rotate(list.actions[1].begin(), reduce, reduce + 1);
            }),
            "device row 1: 0REDUCE (stage 0) comes before the weight gradient of micro-batch 1");
  EXPECT_EQ(errorAfter([](LoweredSchedule& list) {
              const auto reduce = reduceOf(list.actions[3]);
              std::iter_swap(reduce, reduce + 1);
            }),
            "device row 3: OPT (stage 1) comes before the REDUCE of its stage");
  EXPECT_EQ(errorAfter([](LoweredSchedule& list) {
              list.actions[2].push_back(*reduceOf(list.actions[0]));
              ++list.actionCount;
            }),
            "device row 2: 0REDUCE (stage 0) belongs on row 0");
}

TEST(Replicas, OfTwoStagesReduceInOneOrderOnAllRows) {
  Schedule schedule;
  schedule.devices = schedule.microBatches = schedule.stages = 2;
  schedule.rows = StageRows::ofReplicas({{0, 1}, {0, 1}});
  for (int k = 0; k < 2; ++k) {
    schedule.actions.push_back({{ActionKind::Forward, StageId{0}, MicroBatchId{k}},
                                {ActionKind::Forward, StageId{1}, MicroBatchId{k}},
                                {ActionKind::Backward, StageId{1}, MicroBatchId{k}},
                                {ActionKind::Backward, StageId{0}, MicroBatchId{k}}});
  }
  LoweredSchedule lowered = lower(schedule);
  EXPECT_EQ(rowText(lowered, 1), "0F1 1F1 1LOSS1 1B1 0B1 0REDUCE 1REDUCE OPT OPT");
  EXPECT_TRUE(validate(lowered));
  const auto reduce = reduceOf(lowered.actions[1]);
  std::iter_swap(reduce, reduce + 1);
  const Status status = validate(lowered);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message,
            "device row 0: 0REDUCE (stage 0) waits forever: the devices wait for each other "
            "(deadlock)");
}

TEST(Replicas, RunTheirMicroBatchesInTurnOnRowsOfTheirOwn) {
  EXPECT_EQ(errorAfter([](LoweredSchedule& list) {
              list.source.rows = {0, 2};
            }),
            "device row 0: 0REDUCE (stage 0) belongs to a stage that has neither replicas "
            "nor shared parameters");
  EXPECT_EQ(errorAfter([](LoweredSchedule& list) {
              list.source.rows = StageRows::ofReplicas({{1, 0}, {2, 3}});
            }),
            "device row 0: 0F0 (stage 0, micro-batch 0) belongs on row 1");
  EXPECT_EQ(errorAfter([](LoweredSchedule& list) {
              list.source.rows = StageRows::ofReplicas({{0, 0}, {2, 3}});
            }),
            "stage 0 is twice on row 0");
  EXPECT_EQ(errorAfter([](LoweredSchedule& list) {
              list.source.rows = StageRows::ofReplicas({{0, 1}, {2, 4}});
            }),
            "stage 1 is on row 4, which does not exist");
  EXPECT_EQ(errorAfter([](LoweredSchedule& list) {
              list.source.rows = StageRows::ofReplicas({{0, 1, 2, 3}, {2, 3}});
            }),
            "stage 0 has 4 replicas, more than there are micro-batches (3)");
  EXPECT_EQ(errorAfter([](LoweredSchedule& list) { list.source.lossMode = LossMode::WholeBatch; }),
            "stage 1 has several replicas, and one LOSS for the whole batch needs one device");
}

}  // namespace
}  // namespace stagelane::schedule
