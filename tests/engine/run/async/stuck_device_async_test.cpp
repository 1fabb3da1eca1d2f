// Devices that never end their work while no executor watches them: in the reference of a gradient
// check, in a calibration, between two devices. Each wait ends in time, and so does a cancel.

#include <ATen/ops/ones.h>
#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <thread>

#include "engine/run/calibrate/link_probe.h"
#include "engine/run/proof/reference.h"
#include "tests/engine/run/run_fixture.h"
#include "tests/support/async_device/async_device.h"
#include "tests/support/async_device/faults.h"
#include "tests/support/fault_clock.h"

namespace stagelane::run {
namespace {

using namespace test;
using stagelane::test::FaultClock;

constexpr std::chrono::seconds kStallTimeout(1);
constexpr TimeNs kStallNs = 1'000'000'000;

/// What the abandoned threads use is never destroyed.
class StuckDevice : public ::testing::Test {
 protected:
  void SetUp() override { async_device::reset(); }
  void TearDown() override {
    for (const int device : {0, 1}) async_device::release(device);
    // Time for the abandoned threads to leave their devices.
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    async_device::reset();
  }
};

std::string onTwoGpus(const std::string& stallTimeoutS = "1") {
  return R"({"stagelane":1,"name":"t","model":{"zoo":"toy"},"input":{"shape":[10]},
    "data":{"labels":"normal","batch_size":8},"stall_timeout_s":)" +
         stallTimeoutS + R"(,
    "devices":["cuda:0","cuda:1"],"variants":[{"name":"p","strategy":"pipeline","split_size":4,
    "schedule":"1f1b","stages":[{"first":"net1","device":"cuda:0"},
                                {"first":"net2","device":"cuda:1"}]}]})";
}

/// The reference of `bench`'s variant on both devices, of which the second never ends its backward.
Status stuckReference(Bench& bench, const RunControl& control) {
  const plan::Experiment& experiment = bench.experiment;
  const VariantRun& run = bench.variant("p");
  ReferencePlan plan;
  plan.experiment = &experiment;
  plan.parts = {{0, 1, run.workers[0]}, {2, 2, run.workers[1]}};
  plan.microBatchSizes = {4, 4};
  plan.stages = run.variant->stages;
  plan.gradientOrder = {{0, 1}, {0, 1}};
  async_device::stallOperator(1, "aten::mse_loss_backward");
  SyntheticData data(experiment, at::kFloat);
  const InitialValues values = drawInitialValues(*experiment.model, 0, at::kFloat);
  const auto reference = referenceStep(plan, values, data.next(), control);
  EXPECT_TRUE(async_device::isStalled(1));
  return reference ? Status{} : tl::make_unexpected(reference.error());
}

TEST_F(StuckDevice, InAReferenceIsNamed) {
  auto& bench = *new Bench(onTwoGpus());
  const auto& control = *new RunControl(nullptr, kStallNs);
  const FaultClock clock;
  clock.strike();
  const Status status = stuckReference(bench, control);
  clock.expectEnded(kStallTimeout);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().failure.kind, FailureKind::Stalled);
  EXPECT_EQ(status.error().failure.device.value, "cuda:1");
  EXPECT_TRUE(bench.pool.anyAbandoned());
}

TEST_F(StuckDevice, InAReferenceIsLeftByACancel) {
  auto& bench = *new Bench(onTwoGpus());
  auto& stop = *new std::atomic<bool>(false);
  const auto& control = *new RunControl(&stop);
  const FaultClock clock;
  std::thread canceler([&] {
    while (!async_device::isStalled(1)) std::this_thread::yield();
    clock.strike();
    stop = true;
  });
  const Status status = stuckReference(bench, control);
  canceler.join();
  clock.expectEnded();
  EXPECT_FALSE(status);
  EXPECT_TRUE(bench.pool.anyAbandoned());
}

TEST_F(StuckDevice, InACalibrationIsNamed) {
  // A visit of three blocks may take as long as six actions.
  const auto& experiment = *new plan::Experiment(experimentOf(onTwoGpus("0.25")));
  auto& ports = *new CalibrationPorts();
  ports.budgetSeconds = 0.5;
  async_device::stallOperator(0, "aten::mse_loss_backward");
  const FaultClock clock;
  clock.strike();
  const auto table = calibrate(experiment, ports);
  clock.expectEnded(6 * std::chrono::milliseconds(250));
  ASSERT_FALSE(table);
  EXPECT_EQ(table.error().failure.kind, FailureKind::Stalled);
  EXPECT_TRUE(async_device::isStalled(0));
}

/// The check of copies between the devices meets it first.
TEST_F(StuckDevice, AtOneEndOfALinkIsNamed) {
  for (const int stuck : {0, 1}) {
    auto& bench = *new Bench(onTwoGpus());
    const std::vector<Worker*>& workers = bench.variant("p").workers;
    Worker& broken = *workers[static_cast<std::size_t>(stuck)];
    async_device::stallComputeTask(stuck, 1);
    const Status queued =
        broken
            .submit([&broken]() -> Status {
              static_cast<void>(at::ones({4}, at::TensorOptions(broken.backend().torchDevice())));
              return {};
            })
            .get();
    ASSERT_TRUE(queued);
    const auto& control = *new RunControl(nullptr, kStallNs);
    const FaultClock clock;
    clock.strike();
    const auto link = measureLink(*workers[0], *workers[1], control);
    clock.expectEnded(2 * kStallTimeout, "end " + std::to_string(stuck));
    ASSERT_FALSE(link);
    EXPECT_EQ(link.error().failure.kind, FailureKind::Stalled);
    EXPECT_EQ(link.error().failure.device.value, broken.name());
    EXPECT_THAT(link.error().message, testing::HasSubstr("a copy to"));
    EXPECT_TRUE(bench.pool.anyAbandoned());
    TearDown();
  }
}

}  // namespace
}  // namespace stagelane::run
