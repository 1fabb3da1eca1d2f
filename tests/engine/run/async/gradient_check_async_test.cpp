// Gradient checks on asynchronous devices whose reference does not fit one device, or whose float64
// does not fit the variant's budget.

#include "engine/run/proof/gradient_check.h"

#include <ATen/ops/empty.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "tests/engine/run/async/async_bench.h"
#include "tests/support/temporary_folder.h"

namespace stagelane::run {
namespace {

using namespace test;

constexpr int kDelayUs = 200;

class AsyncReference : public ::testing::TestWithParam<DevicePair> {
 protected:
  void SetUp() override { async_device::setDelays(kDelayUs, 1); }
  void TearDown() override { async_device::reset(); }
};
INSTANTIATE_TEST_SUITE_P(Pairs, AsyncReference, ::testing::ValuesIn(kPairs), nameOfPair);

/// With the parts' devices in both orders, because a stage then begins or ends on another device.
void expectOrderedInParts(Bench& bench, std::size_t cut, const DevicePair& devices) {
  for (const DevicePair& parts : {devices, DevicePair{devices.second, devices.first}}) {
    expectOrdered([&] { return checkInParts(bench, cut, parts); },
                  parts.first + " before block " + std::to_string(cut));
  }
}

/// Blocks 0 to 7. `settings` are members of the experiment; they begin with a comma.
std::string net(const std::string& schedule, const std::string& settings = "") {
  return R"({"stagelane":1,"name":"a","model":{"layers":[
      {"kind":"Conv2d","name":"c1","in_channels":3,"out_channels":8,"kernel_size":3,"padding":1},
      {"kind":"BatchNorm2d","name":"n1","num_features":8},{"kind":"ReLU","name":"r1"},
      {"kind":"Conv2d","name":"c2","in_channels":8,"out_channels":8,"kernel_size":3,"padding":1},
      {"kind":"BatchNorm2d","name":"n2","num_features":8},
      {"kind":"AdaptiveAvgPool2d","name":"p","output_size":1},{"kind":"Flatten","name":"f"},
      {"kind":"Linear","name":"l","in_features":8,"out_features":10}]},
    "input":{"shape":[3,8,8]},"data":{"batch_size":8,"labels":"class"},"loss":"cross_entropy",
    "devices":["cpu:0","cpu:1"])" +
         settings + R"(,"variants":[{"name":"p","strategy":"pipeline","split_size":2,"schedule":)" +
         schedule + R"(,"stages":[{"first":"c1","device":"cpu:0"},{"first":"c2","device":"cpu:1"}]
      }]})";
}

TEST_P(AsyncReference, IsCutElsewhereThanTheStages) {
  Bench bench(onDevices(net(R"("1f1b")"), GetParam()));
  for (const std::size_t cut : {1U, 3U, 5U, 7U}) expectOrderedInParts(bench, cut, GetParam());
}

/// The pool's gradient repeats one value, and a convolution chooses its kernel by that.
TEST_P(AsyncReference, IsCutBeforeAPoolInChannelsLast) {
  Bench bench(onDevices(net(R"("zb-h1")", R"(,"memory_format":"channels_last")"), GetParam()));
  expectOrderedInParts(bench, 5, GetParam());
}

TEST_P(AsyncReference, HasOneLossForAllMicroBatches) {
  Bench bench(onDevices(net(R"("tutorial")"), GetParam()));
  expectOrderedInParts(bench, 5, GetParam());
}

TEST_P(AsyncReference, ClipsByTheGradientsOfAllDevices) {
  Bench bench(onDevices(net(R"("1f1b")", R"(,"clip_grad_norm":0.01)"), GetParam()));
  expectOrderedInParts(bench, 5, GetParam());
}

TEST_P(AsyncReference, ReplaysRunningStatisticsAndSumsInTheOrderOfEachStage) {
  const stagelane::test::TemporaryFolder folder;
  const std::filesystem::path csv = folder / "permuted.csv";
  std::ofstream(csv) << "0F3,0F1,0F0,0F2,0B1,0B2,0B3,0B0\n1F3,1F1,1F2,1F0,1B1,1B3,1B2,1B0\n";
  Bench bench(onDevices(net(R"({"csv":")" + csv.string() + "\"}"), GetParam()));
  expectOrderedInParts(bench, 4, GetParam());
}

/// The head, on one device, shares the weight of the embedding, on the other.
TEST_P(AsyncReference, SumsAWeightThatBothPartsOfAStageUse) {
  Bench bench(onDevices(R"({"stagelane":1,"name":"g","model":{"zoo":"gpt","layers":6,"heads":2,
      "width":16,"vocab":19,"context":6,"dropout":0.1,"tie":true},"input":{"shape":[6]},
    "loss":"cross_entropy","data":{"labels":"class","batch_size":8},"devices":["cpu:0","cpu:1"],
    "variants":[{"name":"p","strategy":"single","device":"cpu:0","split_size":3}]})",
                        GetParam()));
  expectOrderedInParts(bench, 4, GetParam());
}

/// Two layers of 1 MiB in float32.
std::string twoLayers() {
  return R"({"stagelane":1,"name":"b","model":{"layers":[
      {"kind":"Linear","in_features":512,"out_features":512},{"kind":"ReLU"},
      {"kind":"Linear","in_features":512,"out_features":512}]},
    "input":{"shape":[512]},"data":{"labels":"normal","batch_size":4},"devices":["cuda:0"],
    "variants":[{"name":"p","strategy":"single","device":"cuda:0","split_size":2}]})";
}

Bytes peakOfAStep(Bench& bench) {
  const StepPlan plan = bench.variant("p").stepPlan(bench.experiment);
  Backend& backend = plan.workers.front()->backend();
  Executor executor(plan, bench.control);
  EXPECT_TRUE(executor.build(drawInitialValues(*bench.experiment.model, 0, at::kFloat)));
  backend.resetPeakBytes();
  SyntheticData data(bench.experiment, at::kFloat);
  const StepInput input = valueOf(executor.prepare(data.next()));
  StepTag tag;
  tag.keepGradients = true;
  EXPECT_EQ(valueOf(executor.step(input, tag)), Executor::Outcome::Done);
  EXPECT_TRUE(executor.synchronize());
  return backend.peakBytes();
}

class AsyncGradientCheck : public ::testing::Test {
 protected:
  void TearDown() override { async_device::reset(); }
};

TEST_F(AsyncGradientCheck, JudgesFloat64WhereTheBudgetHasRoomForTheOwnPrecisionOnly) {
  Bench bench(twoLayers());
  Worker& worker = *bench.variant("p").workers.front();
  const Bytes budget = peakOfAStep(bench) * 5 / 4;
  bench.experiment.devices.front().maxMemory = budget;
  worker.backend().setMemoryLimit(budget);
  const GradientVerdict verdict = bench.check("p");
  EXPECT_TRUE(verdict.passed) << verdict.worst;
  EXPECT_TRUE(verdict.result.ownPrecisionError.has_value());

  const Status above = worker
                           .submit([&]() -> Status {
                             const auto bytes = at::TensorOptions(at::kByte);
                             static_cast<void>(at::empty(
                                 {budget + 1}, bytes.device(worker.backend().torchDevice())));
                             return {};
                           })
                           .get();
  ASSERT_FALSE(above) << "the budget is back";
  EXPECT_EQ(above.error().code, ErrorCode::OutOfMemory);
}

}  // namespace
}  // namespace stagelane::run
