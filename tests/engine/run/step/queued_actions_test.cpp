#include "engine/run/step/queued_actions.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

namespace stagelane::run {
namespace {

/// A point that a device reaches when the test says so.
class TestMarker final : public Marker {
 public:
  [[nodiscard]] TimeNs timeNs() const override { return 0; }
  [[nodiscard]] bool reached() const override {
    ++asked;
    if (broken) throw std::runtime_error("the device is lost");
    return isReached;
  }

  std::atomic<bool> isReached{false};
  std::atomic<bool> broken{false};
  mutable std::atomic<int> asked{0};
};

class QueuedActionsTest : public testing::Test {
 protected:
  std::shared_ptr<TestMarker> add(ActionKind kind = ActionKind::Forward) {
    m_actions.push_back({kind, StageId{0}, MicroBatchId{static_cast<int>(m_actions.size())}, -1});
    auto marker = std::make_shared<TestMarker>();
    m_queued.add(m_actions.back(), 4, marker);
    return marker;
  }
  /// Micro-batch of the oldest action; -1 without one.
  [[nodiscard]] int oldest() const {
    const std::optional<RowActivity> activity = m_queued.oldest();
    return activity ? activity->action->microBatch.value : -1;
  }

  std::deque<schedule::LoweredAction> m_actions;
  QueuedActions m_queued;
};

TEST_F(QueuedActionsTest, EndWhenTheDeviceReachesTheirEnd) {
  const auto first = add();
  const auto second = add();
  EXPECT_EQ(m_queued.poll().count, 0U);
  EXPECT_EQ(oldest(), 0);
  first->isReached = true;
  EXPECT_EQ(m_queued.poll().count, 1U);
  EXPECT_EQ(oldest(), 1);
  second->isReached = true;
  EXPECT_EQ(m_queued.poll().count, 1U);
  EXPECT_TRUE(m_queued.empty());
  EXPECT_EQ(oldest(), -1);
}

TEST_F(QueuedActionsTest, TellTheirStepAndThatTheirDeviceHasThem) {
  static_cast<void>(add());
  const RowActivity activity = m_queued.oldest().value();
  EXPECT_EQ(activity.action, &m_actions.front());
  EXPECT_EQ(activity.step, 4);
  EXPECT_TRUE(activity.queued);
}

TEST_F(QueuedActionsTest, EndInAnyOrder) {
  const auto slowTransfer = add(ActionKind::SendForward);
  const auto computation = add();
  computation->isReached = true;
  EXPECT_EQ(m_queued.poll().count, 1U);
  EXPECT_EQ(oldest(), 0);
  slowTransfer->isReached = true;
  EXPECT_EQ(m_queued.poll().count, 1U);
  EXPECT_TRUE(m_queued.empty());
}

TEST_F(QueuedActionsTest, OfALongQueueAreAskedOnlyAsFarAsTheDeviceMayBe) {
  std::vector<std::shared_ptr<TestMarker>> markers;
  for (int i = 0; i < 1000; ++i) markers.push_back(add());
  for (int i = 0; i < 100; ++i) markers[static_cast<std::size_t>(i)]->isReached = true;
  EXPECT_EQ(m_queued.poll().count, 100U);
  EXPECT_EQ(oldest(), 100);
  EXPECT_EQ(markers.back()->asked, 0);
}

TEST_F(QueuedActionsTest, TakeAsLongAsTheyWereTheOldest) {
  const auto first = add();
  const auto second = add();
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  first->isReached = true;
  const TimeNs ofFirst = m_queued.poll().longestNs;
  EXPECT_GE(ofFirst, 30'000'000);
  const TimeNs sinceNs = m_queued.oldest().value().sinceNs;
  second->isReached = true;
  const TimeNs ofSecond = m_queued.poll().longestNs;
  EXPECT_LT(ofSecond, ofFirst) << "its time in the queue does not count";
  EXPECT_GT(sinceNs, 0);
}

TEST_F(QueuedActionsTest, PassOnTheErrorOfTheDeviceAndKeepTheActionThatItIsAbout) {
  const auto first = add();
  const auto second = add();
  first->isReached = true;
  second->broken = true;
  EXPECT_THROW(static_cast<void>(m_queued.poll()), std::runtime_error);
  EXPECT_EQ(oldest(), 1);
  m_queued.clear();
  EXPECT_TRUE(m_queued.empty());
}

TEST_F(QueuedActionsTest, AreAddedAndAskedForAtTheSameTime) {
  constexpr int kCount = 2000;
  std::atomic<bool> done{false};
  std::size_t ended = 0;
  std::thread row([this, &done] {
    for (int i = 0; i < kCount; ++i) add()->isReached = true;
    done = true;
  });
  while (!done) ended += m_queued.poll().count;
  row.join();
  ended += m_queued.poll().count;
  EXPECT_EQ(ended, static_cast<std::size_t>(kCount));
}

}  // namespace
}  // namespace stagelane::run
