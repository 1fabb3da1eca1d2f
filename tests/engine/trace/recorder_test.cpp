#include "engine/trace/recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace stagelane::trace {
namespace {

using ::testing::ElementsAre;

class Listener final : public ActionObserver {
 public:
  void actionBegins(std::int32_t device, StageId stage, MicroBatchId microBatch) const override {
    say(std::to_string(device) + " " + std::to_string(stage.value) + " " +
        std::to_string(microBatch.value));
  }
  void actionEnds() const override { say("end"); }

  std::vector<std::string> take() { return std::exchange(m_heard, {}); }

 private:
  void say(std::string text) const {
    const std::lock_guard<std::mutex> lock(m_mutex);
    m_heard.push_back(std::move(text));
  }
  mutable std::mutex m_mutex;  ///< guards m_heard
  mutable std::vector<std::string> m_heard;
};

class ActionScopes : public ::testing::Test {
 protected:
  ~ActionScopes() override { observeActions(nullptr); }
  Listener m_listener;
};

TEST_F(ActionScopes, TellTheObserverTheThreadsDeviceAndTheAction) {
  observeActions(&m_listener);
  std::thread([] {
    setThreadDevice(3);
    const ActionScope scope(StageId{1}, MicroBatchId{2});
  }).join();
  { const ActionScope ofNoDevice(StageId{}, MicroBatchId{}); }
  EXPECT_THAT(m_listener.take(), ElementsAre("3 1 2", "end", "-1 -1 -1", "end"));
}

TEST_F(ActionScopes, SayNothingWhileNobodyObserves) {
  { const ActionScope before(StageId{1}, MicroBatchId{2}); }
  observeActions(&m_listener);
  observeActions(nullptr);
  { const ActionScope after(StageId{1}, MicroBatchId{2}); }
  EXPECT_THAT(m_listener.take(), ElementsAre());
}

TEST_F(ActionScopes, EndWithWhomTheyBeganWith) {
  {
    const ActionScope early(StageId{1}, MicroBatchId{2});
    observeActions(&m_listener);
  }
  EXPECT_THAT(m_listener.take(), ElementsAre()) << "no end without a beginning";
  {
    const ActionScope late(StageId{1}, MicroBatchId{2});
    observeActions(nullptr);
  }
  EXPECT_THAT(m_listener.take(), ElementsAre("-1 1 2", "end"));
}

}  // namespace
}  // namespace stagelane::trace
