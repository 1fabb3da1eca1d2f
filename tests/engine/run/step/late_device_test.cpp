// The executor with a device whose actions end after their calls have returned, as a GPU's do. The
// device is a CPU worker whose marks are reached when the test says so.

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>

#include "engine/run/device/cpu_backend.h"
#include "engine/run/step/executor.h"
#include "tests/engine/run/run_fixture.h"
#include "tests/support/fault_clock.h"

namespace stagelane::run {
namespace {

using namespace test;
using stagelane::test::FaultClock;
using testing::HasSubstr;

constexpr TimeNs kStallNs = 1'000'000'000;

/// How far the device is.
struct Progress {
  std::atomic<int> marks{0};
  std::atomic<int> reached{1'000'000};  ///< marks from this number on are not reached
  std::atomic<bool> broken{false};

  [[nodiscard]] bool isReached(int mark) const {
    if (broken) throw std::runtime_error("the device is lost");
    return mark < reached;
  }
  void wait(int mark) const {
    while (!isReached(mark)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
};

class LateMarker final : public Marker {
 public:
  explicit LateMarker(std::shared_ptr<Progress> progress)
      : m_progress(std::move(progress)), m_number(m_progress->marks++), m_timeNs(monotonicNs()) {}
  [[nodiscard]] TimeNs timeNs() const override { return m_timeNs; }
  [[nodiscard]] bool reached() const override { return m_progress->isReached(m_number); }
  [[nodiscard]] bool wait(const StopCheck& stopped) const override {
    while (!reached()) {
      if (stopped && stopped()) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
  }

 private:
  std::shared_ptr<Progress> m_progress;
  int m_number;
  TimeNs m_timeNs;
};

class LateBackend final : public Backend {
 public:
  explicit LateBackend(std::shared_ptr<Progress> progress) : m_progress(std::move(progress)) {
    BackendOptions options;
    options.owner = 1;
    m_cpu = valueOf(makeCpuBackend(options));
  }
  [[nodiscard]] at::Device torchDevice() const override { return at::kCPU; }
  void enterThread() override { m_cpu->enterThread(); }
  void leaveThread() override { m_cpu->leaveThread(); }
  [[nodiscard]] std::shared_ptr<Marker> mark() override {
    return std::make_shared<LateMarker>(m_progress);
  }
  void synchronize() override { m_progress->wait(m_progress->marks - 1); }
  [[nodiscard]] Bytes memoryBytes() const override { return 0; }
  void releaseCache() override {}
  [[nodiscard]] Parcel send(const at::Tensor& tensor, Backend& receiver) override {
    return m_cpu->send(tensor, receiver);
  }
  [[nodiscard]] at::Tensor receive(Parcel& parcel, const StopCheck& stopped) override {
    return m_cpu->receive(parcel, stopped);
  }
  [[nodiscard]] Bytes peakBytes() const override { return 0; }
  void resetPeakBytes() override {}
  [[nodiscard]] Bytes liveBytes() const override { return 0; }
  void setMemoryLimit(Bytes /*limit*/) override {}

 private:
  std::shared_ptr<Progress> m_progress;
  std::unique_ptr<Backend> m_cpu;
};

/// The toy on one such device: F, LOSS, B, OPT.
struct LateStep {
  LateStep()
      : bench(toy("20", R"("variants":[{"name":"s","strategy":"single","device":"cpu:0"}])")),
        worker("late:0", std::make_unique<LateBackend>(progress)) {
    StepPlan plan = bench.variant("s").stepPlan(bench.experiment);
    plan.workers = {&worker};
    executor = std::make_unique<Executor>(std::move(plan), control);
    EXPECT_TRUE(executor->build(drawInitialValues(*bench.experiment.model, 0, at::kFloat)));
    SyntheticData data(bench.experiment, at::kFloat);
    input = valueOf(executor->prepare(data.next()));
  }
  /// An abandoned thread still waits for the device.
  ~LateStep() { progress->reached = 1'000'000; }
  LateStep(const LateStep&) = delete;
  LateStep& operator=(const LateStep&) = delete;

  /// The device reaches only the first `count` marks of the next step: two an action.
  void reachOnly(int count) { progress->reached = progress->marks + count; }
  Result<Executor::Outcome> play() { return executor->step(input, {}); }

  std::shared_ptr<Progress> progress = std::make_shared<Progress>();
  std::atomic<bool> stop{false};
  RunControl control{&stop, kStallNs};
  Bench bench;
  Worker worker;
  std::unique_ptr<Executor> executor;
  StepInput input;
};

TEST(LateDevice, HasEndedNoActionThatItHasOnlyQueued) {
  LateStep step;
  step.reachOnly(2);
  EXPECT_EQ(valueOf(step.play()), Executor::Outcome::Done) << "queueing is not held up";
  EXPECT_TRUE(step.executor->row(0).hasQueued());
  EXPECT_EQ(step.executor->row(0).activity().action, nullptr);
  step.progress->reached = 1'000'000;
  EXPECT_TRUE(step.executor->synchronize());
  EXPECT_FALSE(step.executor->row(0).hasQueued());
  EXPECT_FALSE(step.worker.abandoned());
}

TEST(LateDevice, ThatDoesNotEndAnActionFailsTheWaitForItAndIsNamed) {
  LateStep step;
  step.reachOnly(4);
  ASSERT_TRUE(step.play());
  const FaultClock clock;
  clock.strike();
  const Status status = step.executor->synchronize();
  clock.expectEnded(std::chrono::nanoseconds(kStallNs));
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().failure.kind, FailureKind::Stalled);
  EXPECT_EQ(status.error().failure.device.value, "late:0");
  // F and LOSS have ended.
  EXPECT_EQ(status.error().failure.action, ActionKind::Backward) << describe(status.error());
  EXPECT_EQ(status.error().failure.stage, StageId{0});
  EXPECT_TRUE(step.worker.abandoned());
  EXPECT_TRUE(step.control.failed());
}

TEST(LateDevice, ThatIsSlowIsNotStalledAsLongAsActionsEnd) {
  LateStep step;
  step.reachOnly(0);
  ASSERT_TRUE(step.play());
  // Each action takes a third of the limit, and all of them take longer than it.
  std::thread device([&step] {
    const int last = step.progress->marks;
    while (step.progress->reached < last) {
      std::this_thread::sleep_for(std::chrono::milliseconds(350));
      step.progress->reached += 2;
    }
  });
  EXPECT_TRUE(step.executor->synchronize());
  device.join();
  EXPECT_GE(step.control.longestActionNs(), 200'000'000) << "the time of an action is its device's";
}

TEST(LateDevice, ThatIsStuckInAnEarlierStepMakesNoProgressByAnotherOne) {
  LateStep step;
  step.reachOnly(2);
  ASSERT_TRUE(step.play());
  for (int i = 0; i < 10; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    ASSERT_TRUE(step.play());
  }
  EXPECT_GE(step.control.quietNs(), 100'000'000);
  // The oldest one is named, not one of the last step.
  const Status status = step.executor->synchronize();
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().failure.action, ActionKind::Loss) << describe(status.error());
}

TEST(LateDevice, WithAnErrorNamesTheActionThatItHadNotEnded) {
  LateStep step;
  step.reachOnly(4);
  ASSERT_TRUE(step.play());
  step.progress->broken = true;
  const FaultClock clock;
  clock.strike();
  const Status status = step.executor->synchronize();
  clock.expectEnded();
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message, HasSubstr("the device is lost"));
  EXPECT_EQ(status.error().failure.device.value, "late:0");
  EXPECT_TRUE(status.error().failure.action) << describe(status.error());
  EXPECT_FALSE(step.worker.abandoned()) << "it does not hang";
}

TEST(LateDevice, ThatIsStuckDoesNotHoldUpACancel) {
  LateStep step;
  step.reachOnly(2);
  ASSERT_TRUE(step.play());
  step.stop = true;
  const FaultClock clock;
  clock.strike();
  EXPECT_FALSE(step.executor->synchronize());
  clock.expectEnded();
  EXPECT_FALSE(step.control.failed()) << "a canceled run has not failed";
  EXPECT_TRUE(step.worker.abandoned());
}

TEST(LateDevice, ThatIsOnlyBusyIsWaitedForAfterACancel) {
  LateStep step;
  step.reachOnly(2);
  ASSERT_TRUE(step.play());
  step.stop = true;
  std::thread device([&step] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    step.progress->reached = 1'000'000;
  });
  EXPECT_TRUE(step.executor->synchronize());
  device.join();
  EXPECT_FALSE(step.worker.abandoned());
}

}  // namespace
}  // namespace stagelane::run
