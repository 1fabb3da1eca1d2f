// Training on devices that work after their calls return, as GPUs do: the gradients have the CPU's
// bits, and no access to memory is left without an order.

#include <gmock/gmock.h>

#include "engine/run/loop/run_loop.h"
#include "tests/engine/run/async/async_bench.h"
#include "tests/engine/run/schedule_grid.h"

namespace stagelane::run {
namespace {

using namespace test;
using testing::IsEmpty;

constexpr int kDelayUs = 200;

class AsyncSchedules : public ::testing::TestWithParam<DevicePair> {
 protected:
  void SetUp() override { async_device::setDelays(kDelayUs, 1); }
  void TearDown() override { async_device::reset(); }
};

INSTANTIATE_TEST_SUITE_P(Pairs, AsyncSchedules, ::testing::ValuesIn(kPairs), nameOfPair);

/// A convolution with batch normalization, and a linear layer that shares nothing.
const std::string kNet = R"({"layers":[
    {"kind":"Conv2d","name":"c1","in_channels":3,"out_channels":8,"kernel_size":3,"padding":1},
    {"kind":"BatchNorm2d","name":"n1","num_features":8},{"kind":"ReLU","name":"r1"},
    {"kind":"Conv2d","name":"c2","in_channels":8,"out_channels":8,"kernel_size":3,"padding":1},
    {"kind":"ReLU","name":"r2"},{"kind":"Flatten","name":"f"},
    {"kind":"Linear","name":"l","in_features":512,"out_features":10}]})";
const std::string kNetStages =
    R"("stages":[{"first":"c1","device":"cpu:0"},{"first":"c2","device":"cpu:1"}])";

/// `settings` are members of the experiment, `ofVariant` of its pipeline "p"; both begin with a
/// comma.
std::string net(const std::string& settings, const std::string& ofVariant) {
  return R"({"stagelane":1,"name":"a","model":)" + kNet +
         R"(,"input":{"shape":[3,8,8]},"data":{"batch_size":8,"labels":"class"},
      "loss":"cross_entropy","devices":["cpu:0","cpu:1"])" +
         settings + R"(,"variants":[{"name":"one","strategy":"single","device":"cpu:0",
      "split_size":2},{"name":"mp","strategy":"model_parallel",)" +
         kNetStages + R"(},{"name":"p","strategy":"pipeline","split_size":2,)" + kNetStages +
         ofVariant + "}]}";
}

TEST_P(AsyncSchedules, EveryScheduleOfTheTable) {
  for (const GridSchedule& schedule : everySchedule()) {
    Bench bench(onDevices(gridExperiment(mlpModel(), schedule, 2, Tail::Uneven), GetParam()));
    expectOrdered(bench, "v", schedule.name);
  }
}

TEST_P(AsyncSchedules, OneDeviceModelParallelAndConvolutions) {
  Bench bench(onDevices(net("", R"(,"schedule":"1f1b")"), GetParam()));
  for (const std::string id : {"one", "mp", "p"}) expectOrdered(bench, id, id);
}

TEST_P(AsyncSchedules, DividedBackward) {
  Bench bench(onDevices(net("", R"(,"schedule":"zb-h1")"), GetParam()));
  expectOrdered(bench, "p", "zb-h1");
}

TEST_P(AsyncSchedules, Recomputation) {
  Bench bench(onDevices(net("", R"(,"schedule":"gpipe","recompute":"always")"), GetParam()));
  expectOrdered(bench, "p", "recompute");
}

TEST_P(AsyncSchedules, ClippedGradients) {
  Bench bench(onDevices(net(R"(,"clip_grad_norm":0.01)", R"(,"schedule":"1f1b")"), GetParam()));
  expectOrdered(bench, "p", "clipping");
}

TEST_P(AsyncSchedules, DeferredBatchStatistics) {
  Bench bench(onDevices(net(R"(,"batch_norm":"deferred")", R"(,"schedule":"1f1b")"), GetParam()));
  expectOrdered(bench, "p", "deferred batch norm");
}

/// Where GPUs and CPU workers are mixed, the host draws what is dropped. Devices that are alike
/// draw other values than a CPU, so the reference is on one of them.
TEST_P(AsyncSchedules, TiedWeightsAndDropout) {
  const GridSchedule schedule{"1f1b", 1, StageLayout::OnePerDevice};
  Bench bench(onDevices(gridExperiment(gptModel(), schedule, 2, Tail::Even), GetParam()));
  expectOrdered([&] { return bench.check("v"); }, "gpt");
}

TEST_P(AsyncSchedules, TheErrorOfTheOwnPrecisionIsSaid) {
  Bench bench(onDevices(net("", R"(,"schedule":"1f1b")"), GetParam()));
  const GradientVerdict verdict = bench.check("p");
  ASSERT_TRUE(verdict.result.ownPrecisionError);
  EXPECT_GT(*verdict.result.ownPrecisionError, 0.0);
  EXPECT_LT(*verdict.result.ownPrecisionError, 1e-3);
}

/// The losses of a whole run of net() on these devices differ at most by `tolerance` (relative)
/// from those on CPU workers.
void expectTheLossesOfCpuWorkers(const std::string& json, const DevicePair& devices,
                                 double tolerance) {
  Recorded onCpu;
  Recorded onGpu;
  const plan::Experiment cpu = experimentOf(json);
  const plan::Experiment gpu = experimentOf(onDevices(json, devices));
  EXPECT_TRUE(RunLoop(cpu, onCpu.ports()).run());
  static_cast<void>(async_device::takeRaces());
  EXPECT_TRUE(RunLoop(gpu, onGpu.ports()).run());
  EXPECT_THAT(async_device::takeRaces(), IsEmpty());
  for (const std::string id : {"one", "mp", "p"}) {
    EXPECT_EQ(onGpu.result(id).at("status"), "done") << id;
    const auto expected = onCpu.result(id).at("loss").get<std::vector<double>>();
    const auto losses = onGpu.result(id).at("loss").get<std::vector<double>>();
    ASSERT_EQ(losses.size(), expected.size()) << id;
    for (std::size_t i = 0; i < losses.size(); ++i) {
      EXPECT_NEAR(losses[i], expected[i], tolerance * expected[i]) << id;
    }
  }
}

/// Several steps of a whole run, with the optimizer's state between them.
TEST_P(AsyncSchedules, ARunWithAdamHasTheLossesOfCpuWorkers) {
  expectTheLossesOfCpuWorkers(net(R"(,"optimizer":{"kind":"adam","lr":0.01},"repeat":2,"warmup":1,
          "verify_gradients":false)",
                                  R"(,"schedule":"1f1b")"),
                              GetParam(), 0.0);
}

/// LibTorch's autocast rounds the loss of accelerators, but not of CPUs, to bfloat16.
TEST_P(AsyncSchedules, MixedPrecisionHasTheLossesOfCpuWorkersButForRounding) {
  constexpr double kRounding = 1.0 / 256;
  expectTheLossesOfCpuWorkers(net(R"(,"precision":"bf16","repeat":1,"warmup":0,
      "verify_gradients":false)",
                                  R"(,"schedule":"1f1b")"),
                              GetParam(), kRounding);
}

TEST_P(AsyncSchedules, ACalibrationLeavesNothingUnordered) {
  const plan::Experiment experiment =
      experimentOf(onDevices(net("", R"(,"schedule":"zb-h1")"), GetParam()));
  CalibrationPorts ports;
  ports.budgetSeconds = 0.5;
  ports.neighbors = false;
  const auto table = calibrate(experiment, ports);
  ASSERT_TRUE(table) << describe(table.error());
  EXPECT_TRUE(table->has_value());
  EXPECT_THAT(async_device::takeRaces(), IsEmpty());
}

}  // namespace
}  // namespace stagelane::run
