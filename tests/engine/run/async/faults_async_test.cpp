// Faults of devices that work after their calls return: a kernel that never ends, a copy that
// fails, memory that runs out. Each ends in time and names its place.

#include <c10/core/impl/VirtualGuardImpl.h>
#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "engine/record/failure_json.h"
#include "engine/run/loop/run_loop.h"
#include "tests/engine/run/async/async_bench.h"
#include "tests/engine/run/run_fixture.h"
#include "tests/engine/run/third_step.h"
#include "tests/support/async_device/async_device.h"
#include "tests/support/async_device/faults.h"
#include "tests/support/fault_clock.h"

namespace stagelane::run {
namespace {

using namespace test;
using stagelane::test::FaultClock;

constexpr auto kStallTimeout = std::chrono::seconds(1);

struct Devices {
  std::string first = "cuda:0";
  std::string second = "cuda:1";
};

/// A pipeline of two stages with two batches a repeat, for AtTheThirdStep.
std::string pipeline(const Devices& devices, const std::string& schedule = "1f1b",
                     const std::string& settings = "") {
  return R"({"stagelane":1,"name":"t","model":{"zoo":"toy"},"input":{"shape":[10]},
    "data":{"labels":"normal","batch_size":20,"batches":2},
    "optimizer":{"kind":"adam","lr":0.001},"stall_timeout_s":1,
    "repeat":3,"warmup":0,"verify_gradients":false,)" +
         settings + R"("devices":[")" + devices.first + R"(",")" + devices.second +
         R"("],"variants":[{"name":"p","strategy":"pipeline","schedule":")" + schedule +
         R"(","split_size":5,"stages":[{"first":"net1","device":")" + devices.first +
         R"("},{"first":"net2","device":")" + devices.second + R"("}]}]})";
}

/// A run in which something breaks. Never destroyed: an abandoned thread may use it when the test
/// lets its kernel go.
struct BrokenRun {
  BrokenRun(const std::string& json, ExecutorOptions options, const CapturePort& capture = {})
      : experiment(experimentOf(json)), ports(recorded.ports()) {
    ports.capture = capture;
    loop = std::make_unique<RunLoop>(experiment, ports, std::move(options));
    outcome = loop->run();
    // As runExperiment does.
    if (loop->threadsLeft()) {
      static_cast<void>(loop.release());
    } else {
      loop.reset();
    }
  }

  Recorded recorded;
  plan::Experiment experiment;
  RunPorts ports;
  std::unique_ptr<RunLoop> loop;
  Result<RunOutcome> outcome = RunOutcome::Done;
};

/// A place in the schedule, and the device whose row it is.
struct Place {
  int row = 0;
  ActionKind kind = ActionKind::Forward;
  int stage = 0;
  int microBatch = 1;
  [[nodiscard]] std::string text() const {
    return std::string(word(kind)) + "_on_" + std::to_string(row);
  }
};

const Place kForward{0, ActionKind::Forward, 0, 1};
const Place kLaterForward{1, ActionKind::Forward, 1, 2};
const Place kLoss{1, ActionKind::Loss, 1, 1};
const Place kBackward{1, ActionKind::Backward, 1, 1};
const Place kEarlierBackward{0, ActionKind::Backward, 0, 2};
const Place kOptimizer{1, ActionKind::Optimizer, 1, -1};

class AsyncFaults : public testing::Test {
 protected:
  void SetUp() override { async_device::reset(); }
  void TearDown() override { recover(); }

  /// Lets stuck kernels go on. Abandoned threads then leave their devices, which takes no more than
  /// a moment; reset() is for devices that no thread uses.
  static void recover() {
    for (const int device : {0, 1}) async_device::release(device);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    async_device::reset();
  }

  /// Runs `json` and calls `breakIt(device)` before the action at `place`, when the device has
  /// ended all that it has. `device`: the number of the asynchronous device.
  template <class BreakIt>
  BrokenRun& runUntil(const std::string& json, const Place& place, int device, BreakIt breakIt) {
    ExecutorOptions options;
    options.beforeAction = [at = AtTheThirdStep(m_clock, place.kind, place.stage, place.microBatch),
                            breakIt,
                            device](int /*row*/, const schedule::LoweredAction& action) mutable {
      if (!at(action)) return;
      c10::impl::VirtualGuardImpl(at::kPrivateUse1)
          .synchronizeDevice(static_cast<c10::DeviceIndex>(device));
      breakIt(device);
    };
    auto* const run = new BrokenRun(json, std::move(options));
    m_clock.end();
    return *run;
  }

  void expectOutOfMemory(const BrokenRun& run, const std::string& what) {
    m_clock.expectEnded({}, what);
    m_clock = FaultClock();
    ASSERT_FALSE(run.outcome) << what;
    EXPECT_EQ(run.outcome.error().code, ErrorCode::OutOfMemory) << what;
    EXPECT_EQ(failureOf(run.outcome.error()).kind, FailureKind::OutOfMemory) << what;
    EXPECT_TRUE(failureOf(run.outcome.error()).device.valid()) << what;
    EXPECT_EQ(run.recorded.result("p").at("seconds").size(), 1U) << "the first repeat is kept";
  }

  void expectNamed(const BrokenRun& run, const Failure& failure, const std::string& what,
                   std::chrono::nanoseconds timeout = {}) {
    m_clock.expectEnded(timeout, what);
    m_clock = FaultClock();
    ASSERT_FALSE(run.outcome) << what;
    EXPECT_EQ(record::failureToJson(failureOf(run.outcome.error())), record::failureToJson(failure))
        << what << ": " << describe(run.outcome.error());
    EXPECT_EQ(run.recorded.result("p").at("seconds").size(), 1U) << "the first repeat is kept";
  }

  FaultClock m_clock;
};

Failure failureAt(FailureKind kind, const Devices& devices, const Place& place) {
  Failure failure{kind,
                  "p",
                  {place.row == 0 ? devices.first : devices.second},
                  StageId{place.stage},
                  MicroBatchId{place.microBatch},
                  place.kind};
  return failure;
}

void neverEnd(int device) { async_device::stallComputeTask(device, 1); }
void runOutOfMemory(int device) { async_device::failAllocation(device); }

TEST_F(AsyncFaults, AKernelThatNeverEndsIsNamedInEachKindOfAction) {
  const Devices devices;
  for (const Place& place :
       {kForward, kLaterForward, kLoss, kBackward, kEarlierBackward, kOptimizer}) {
    const BrokenRun& run = runUntil(pipeline(devices), place, place.row, neverEnd);
    expectNamed(run, failureAt(FailureKind::Stalled, devices, place), place.text(), kStallTimeout);
    recover();
  }
}

TEST_F(AsyncFaults, AKernelThatNeverEndsIsNamedBesideACpuWorker) {
  for (const Devices& devices : {Devices{"cuda:0", "cpu:0"}, Devices{"cpu:0", "cuda:0"}}) {
    const bool first = devices.first == "cuda:0";
    const Place& place = first ? kForward : kBackward;
    const BrokenRun& run = runUntil(pipeline(devices), place, 0, neverEnd);
    expectNamed(run, failureAt(FailureKind::Stalled, devices, place),
                first ? "before_a_cpu_worker" : "after_a_cpu_worker", kStallTimeout);
    recover();
  }
}

TEST_F(AsyncFaults, AKernelThatNeverEndsIsNamedWhereNormsWaitForIt) {
  const Devices devices;
  const BrokenRun& run = runUntil(pipeline(devices, "1f1b", R"("clip_grad_norm":1.0,)"), kBackward,
                                  kBackward.row, neverEnd);
  expectNamed(run, failureAt(FailureKind::Stalled, devices, kBackward), "clip", kStallTimeout);
}

TEST_F(AsyncFaults, AKernelThatNeverEndsIsNamedWhereTheNextBatchWaitsForIt) {
  // The labels of the next batch are copied to the device that is stuck.
  const Devices devices;
  const BrokenRun& run = runUntil(pipeline(devices, "1f1b", R"("timing":"tutorial",)"), kBackward,
                                  kBackward.row, neverEnd);
  expectNamed(run, failureAt(FailureKind::Stalled, devices, kBackward), "tutorial", kStallTimeout);
}

TEST_F(AsyncFaults, AKernelThatNeverEndsLeavesACanceledRunCanceled) {
  std::atomic<bool>* stop = nullptr;
  ExecutorOptions options;
  options.beforeAction = [this, &stop, at = AtTheThirdStep(m_clock, ActionKind::Backward, 1, 1)](
                             int /*row*/, const schedule::LoweredAction& action) mutable {
    if (!at(action)) return;
    async_device::stallComputeTask(1, 1);
    stop->store(true);
  };
  const plan::Experiment experiment = experimentOf(pipeline({}));
  auto& recorded = *new Recorded();
  stop = &recorded.stop;
  const RunPorts& ports = *new RunPorts(recorded.ports());
  auto loop = std::make_unique<RunLoop>(experiment, ports, std::move(options));
  const auto outcome = loop->run();
  m_clock.expectEnded();
  if (loop->threadsLeft()) static_cast<void>(loop.release());
  ASSERT_TRUE(outcome) << describe(outcome.error());
  EXPECT_EQ(*outcome, RunOutcome::Canceled);
  EXPECT_EQ(recorded.result("p").at("status"), "canceled");
  EXPECT_EQ(recorded.result("p").at("seconds").size(), 1U);
}

TEST_F(AsyncFaults, AKernelThatNeverEndsIsNotWaitedForByTheRecordingOfItsTurn) {
  // The third step is the first of the recorded turn, after the timed one of the first repeat.
  std::atomic<int> stops{0};
  CapturePort capture;
  capture.start = [](const std::vector<std::string>& /*devices*/, TimeNs /*originNs*/) -> Status {
    return {};
  };
  capture.stop = [&stops]() -> Result<CapturePort::Captured> {
    ++stops;
    c10::impl::VirtualGuardImpl(at::kPrivateUse1).synchronizeDevice(1);
    return CapturePort::Captured{};
  };
  ExecutorOptions options;
  options.beforeAction = [at = AtTheThirdStep(m_clock, ActionKind::Backward, 1, 1)](
                             int /*row*/, const schedule::LoweredAction& action) mutable {
    if (at(action)) neverEnd(1);
  };
  const BrokenRun& run =
      *new BrokenRun(pipeline({}, "1f1b", R"("trace":"kernels",)"), std::move(options), capture);
  m_clock.expectEnded(kStallTimeout);
  ASSERT_FALSE(run.outcome);
  EXPECT_EQ(run.outcome.error().failure.kind, FailureKind::Stalled);
  EXPECT_EQ(stops, 0);
}

TEST_F(AsyncFaults, ACopyThatFailsEndsTheRun) {
  struct Case {
    Devices devices;
    std::string what;
  };
  for (const Case& each : {Case{{}, "to_a_device"}, Case{{"cuda:0", "cpu:0"}, "to_the_host"},
                           Case{{"cpu:0", "cuda:0"}, "from_the_host"}}) {
    const BrokenRun& run = runUntil(pipeline(each.devices), {0, ActionKind::SendForward, 0, 1}, 0,
                                    async_device::failCopy);
    m_clock.expectEnded({}, each.what);
    m_clock = FaultClock();
    ASSERT_FALSE(run.outcome) << each.what;
    EXPECT_EQ(run.outcome.error().code, ErrorCode::EngineFailure);
    EXPECT_THAT(run.outcome.error().message, testing::HasSubstr("fails on purpose"));
    // Whoever meets the error first says where it was.
    EXPECT_TRUE(run.outcome.error().failure.device.valid()) << describe(run.outcome.error());
    EXPECT_TRUE(run.outcome.error().failure.action) << describe(run.outcome.error());
    recover();
  }
}

TEST_F(AsyncFaults, AMessageThatIsLostIsNamed) {
  for (const auto& [first, second] : kPairs) {
    const Devices devices{first, second};
    ExecutorOptions options;
    options.dropMessage = [at = AtTheThirdStep(m_clock, ActionKind::SendForward, 0, 1)](
                              int /*row*/, const schedule::LoweredAction& action) mutable {
      return at(action);
    };
    const BrokenRun& run = *new BrokenRun(pipeline(devices), std::move(options));
    expectNamed(run, failureAt(FailureKind::Stalled, devices, {1, ActionKind::RecvForward, 1, 1}),
                "RECV_F_" + first + "_" + second, kStallTimeout);
    recover();
  }
}

/// Either partition may be the first to meet the fault.
TEST_F(AsyncFaults, AKernelThatNeverEndsOnAPartitionIsNamed) {
  const Devices devices{"cuda:0/1of2", "cuda:0/2of2"};
  const BrokenRun& run = runUntil(pipeline(devices), kBackward, 0, neverEnd);
  m_clock.expectEnded(kStallTimeout);
  ASSERT_FALSE(run.outcome);
  EXPECT_EQ(run.outcome.error().failure.kind, FailureKind::Stalled);
  EXPECT_THAT(run.outcome.error().failure.device.value, testing::StartsWith("cuda:0/"));
}

/// A send from the other device may be the first to ask for memory.
TEST_F(AsyncFaults, MemoryThatRunsOutInEachKindOfActionEndsTheRun) {
  const Devices devices;
  for (const Place& place :
       {kForward, kLaterForward, kLoss, kBackward, kEarlierBackward, kOptimizer}) {
    const BrokenRun& run = runUntil(pipeline(devices), place, place.row, runOutOfMemory);
    expectOutOfMemory(run, place.text());
    recover();
  }
}

TEST_F(AsyncFaults, MemoryThatRunsOutInBothHalvesOfABackwardEndsTheRun) {
  const Devices devices;
  for (const ActionKind kind : {ActionKind::BackwardInput, ActionKind::BackwardWeight}) {
    const Place place{1, kind, 1, 1};
    const BrokenRun& run = runUntil(pipeline(devices, "zb-h1"), place, place.row, runOutOfMemory);
    expectOutOfMemory(run, place.text());
    recover();
  }
}

TEST_F(AsyncFaults, MemoryThatRunsOutInATransferEndsTheRun) {
  for (const Devices& devices : {Devices{}, Devices{"cpu:0", "cuda:0"}}) {
    // The tensor arrives on the second device, whose own actions may be the first to want memory.
    const BrokenRun& run = runUntil(pipeline(devices), {0, ActionKind::SendForward, 0, 1},
                                    devices.second == "cuda:1" ? 1 : 0, runOutOfMemory);
    m_clock.expectEnded({}, devices.first == "cpu:0" ? "from_the_host" : "from_a_device");
    m_clock = FaultClock();
    ASSERT_FALSE(run.outcome);
    EXPECT_EQ(run.outcome.error().code, ErrorCode::OutOfMemory);
    EXPECT_TRUE(run.outcome.error().failure.action) << describe(run.outcome.error());
    recover();
  }
}

TEST_F(AsyncFaults, MemoryThatRunsOutInATransferOfAGradientEndsTheRun) {
  const BrokenRun& run =
      runUntil(pipeline({}), {1, ActionKind::SendBackward, 1, 1}, 0, runOutOfMemory);
  expectOutOfMemory(run, "SEND_B");
}

TEST_F(AsyncFaults, AThrowingActionEndsTheRunWhileDevicesStillWork) {
  for (const auto& [first, second] : kPairs) {
    const Devices devices{first, second};
    async_device::setDelays(2000, 7);
    const BrokenRun& run = runUntil(pipeline(devices), kBackward, 0, [](int /*device*/) {
      throw std::runtime_error("broken on purpose");
    });
    expectNamed(run, failureAt(FailureKind::EngineFailure, devices, kBackward),
                "throw_" + first + "_" + second);
    recover();
  }
}

}  // namespace
}  // namespace stagelane::run
