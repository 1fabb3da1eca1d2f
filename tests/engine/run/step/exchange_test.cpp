#include "engine/run/step/exchange.h"

#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include <thread>

namespace stagelane::run {
namespace {

const ParcelKey kKey{Direction::Forward, StageId{1}, MicroBatchId{2}, 0, 0};

Parcels one() {
  Parcels parcels(1);
  parcels.front().tensor = at::ones({2});
  return parcels;
}

TEST(Exchange, HandsOverWhatWasPutBefore) {
  Exchange exchange({2, 3, 2, 2});
  const RunControl control(nullptr);
  exchange.put(kKey, one());
  const auto taken = exchange.take(kKey, control);
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->size(), 1U);
}

TEST(Exchange, WaitsForWhatComesLater) {
  Exchange exchange({2, 3, 2, 2});
  const RunControl control(nullptr);
  std::thread sender([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    exchange.put(kKey, one());
  });
  EXPECT_TRUE(exchange.take(kKey, control));
  sender.join();
}

TEST(Exchange, KeepsDirectionsStagesMicroBatchesAndRowsApart) {
  Exchange exchange({2, 3, 2, 2});
  const std::atomic<bool> stop{true};
  const RunControl control(&stop);
  exchange.put({Direction::Backward, StageId{1}, MicroBatchId{2}, 0, 0}, one());
  exchange.put({Direction::Forward, StageId{0}, MicroBatchId{2}, 0, 0}, one());
  exchange.put({Direction::Forward, StageId{1}, MicroBatchId{1}, 0, 0}, one());
  for (const int row : {0, 1}) {
    for (const int stage : {0, 1}) {
      exchange.put({Direction::Shared, StageId{stage}, MicroBatchId{}, stage, row}, one());
    }
  }
  EXPECT_FALSE(exchange.take(kKey, control));
  EXPECT_TRUE(exchange.take({Direction::Shared, StageId{1}, MicroBatchId{}, 1, 0}, control));
}

TEST(Exchange, AFailureElsewhereEndsTheWait) {
  Exchange exchange({2, 3, 2, 2});
  RunControl control(nullptr);
  std::thread other([&] { control.fail({ErrorCode::EngineFailure, "first", "", ""}); });
  EXPECT_FALSE(exchange.take(kKey, control));
  other.join();
}

TEST(Exchange, ACancelEndsTheWait) {
  Exchange exchange({2, 3, 2, 2});
  const std::atomic<bool> stop{true};
  EXPECT_FALSE(exchange.take(kKey, RunControl(&stop)));
}

TEST(Exchange, SendingTwiceIsAMistake) {
  Exchange exchange({2, 3, 2, 2});
  exchange.put(kKey, one());
  EXPECT_THROW(exchange.put(kKey, one()), std::logic_error);
  exchange.clear();
  EXPECT_NO_THROW(exchange.put(kKey, one()));
}

TEST(RunControl, KeepsTheFirstError) {
  RunControl control(nullptr);
  EXPECT_FALSE(control.stopped());
  control.fail({ErrorCode::OutOfMemory, "first", "", ""});
  control.fail({ErrorCode::EngineFailure, "second", "", ""});
  EXPECT_TRUE(control.stopped());
  EXPECT_FALSE(control.canceled());
  EXPECT_EQ(control.error()->message, "first");
}

TEST(RunControl, AStallIsTenTimesTheLongestActionButAtLeastThirtySeconds) {
  RunControl control(nullptr);
  EXPECT_EQ(control.stallLimitNs(), 30'000'000'000);
  control.actionDone(1'000'000'000);
  EXPECT_EQ(control.stallLimitNs(), 30'000'000'000);
  control.actionDone(4'000'000'000);
  EXPECT_EQ(control.stallLimitNs(), 40'000'000'000);
  control.expectAction(5'000'000'000);
  EXPECT_EQ(control.stallLimitNs(), 50'000'000'000);
  EXPECT_EQ(RunControl(nullptr, 7).stallLimitNs(), 7);
}

TEST(RunControl, EveryActionIsProgress) {
  RunControl control(nullptr);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_GE(control.quietNs(), 15'000'000);
  const auto before = std::chrono::steady_clock::now();
  control.actionDone(1);
  const TimeNs quietNs = control.quietNs();
  EXPECT_LE(std::chrono::nanoseconds(quietNs), std::chrono::steady_clock::now() - before);
}

}  // namespace
}  // namespace stagelane::run
