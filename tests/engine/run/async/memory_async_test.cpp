// Memory of asynchronous devices: what a peak counts, and limits.

#include <ATen/ops/empty.h>
#include <ATen/ops/ones.h>
#include <gmock/gmock.h>

#include <functional>
#include <memory>
#include <string>

#include "engine/run/device/worker.h"
#include "engine/run/loop/run_loop.h"
#include "tests/engine/run/async/async_bench.h"
#include "tests/engine/run/async/wrapped_platform.h"
#include "tests/support/async_device/faults.h"

namespace stagelane::run {
namespace {

using namespace test;

constexpr Bytes kMiB = Bytes{1} << 20;

/// Keeps the last limit that a device got.
class WatchedLimits final : public WrappedPlatform {
 public:
  explicit WatchedLimits(Bytes& limit) : m_limit(limit) {}
  void setMemoryLimit(int index, Bytes limit) override {
    m_limit = limit;
    WrappedPlatform::setMemoryLimit(index, limit);
  }

 private:
  Bytes& m_limit;
};

class AsyncMemory : public ::testing::Test {
 protected:
  void TearDown() override { async_device::reset(); }
};

/// Memory that was freed while the copy stream still reads it is not free yet.
TEST_F(AsyncMemory, ThePeakCountsMemoryThatAnotherStreamHoldsBack) {
  Worker from("cuda:0", valueOf(makeBackend(DeviceId{"cuda:0"}, {})));
  Worker to("cuda:1", valueOf(makeBackend(DeviceId{"cuda:1"}, {})));
  const auto bytes = at::TensorOptions(at::kByte).device(from.backend().torchDevice());
  Bytes before = 0;
  Parcel parcel;
  const Status sent = from.submit([&]() -> Status {
                            // Lets the allocator notice what earlier tests have given back.
                            static_cast<void>(at::empty({1}, bytes));
                            from.backend().resetPeakBytes();
                            before = from.backend().peakBytes();
                            at::Tensor first = at::ones({8 * kMiB}, bytes);
                            from.backend().synchronize();
                            async_device::stallComputeTask(0, 1);
                            // The copy waits for the stuck computation before it.
                            const at::Tensor stuck = at::ones({4}, bytes);
                            parcel = from.backend().send(first, to.backend());
                            first.reset();
                            static_cast<void>(at::empty({8 * kMiB}, bytes));
                            return {};
                          })
                          .get();
  EXPECT_TRUE(sent);
  EXPECT_GE(from.backend().peakBytes() - before, 16 * kMiB);
  async_device::release(0);
  from.backend().synchronize();
}

TEST_F(AsyncMemory, LimitsOfPartitionsAddUp) {
  Bytes limit = -1;
  auto platform = setGpuPlatform(std::make_unique<WatchedLimits>(limit));
  {
    const auto first = valueOf(makeBackend(DeviceId{"cuda:0/1of2"}, {}));
    const auto second = valueOf(makeBackend(DeviceId{"cuda:0/2of2"}, {}));
    first->setMemoryLimit(100 * kMiB);
    second->setMemoryLimit(300 * kMiB);
    EXPECT_EQ(limit, 400 * kMiB);
    second->setMemoryLimit(0);
    EXPECT_EQ(limit, 100 * kMiB + first->memoryBytes() / 2) << "one without a limit: its share";
    first->setMemoryLimit(0);
    EXPECT_EQ(limit, 0);
  }
  setGpuPlatform(std::move(platform));
}

class AsyncLimits : public ::testing::TestWithParam<DevicePair> {
 protected:
  void TearDown() override { async_device::reset(); }
};
INSTANTIATE_TEST_SUITE_P(Pairs, AsyncLimits, ::testing::ValuesIn(kPairs), nameOfPair);

bool isPartitioned(const DevicePair& pair) { return pair.first.find('/') != std::string::npos; }

/// Two stages with 16 MiB of parameters each.
std::string twoStages(const DevicePair& devices) {
  return R"({"stagelane":1,"name":"m","model":{"layers":[
      {"kind":"Linear","name":"a","in_features":2048,"out_features":2048},
      {"kind":"Linear","name":"b","in_features":2048,"out_features":2048}]},
    "input":{"shape":[2048]},"data":{"labels":"normal","batch_size":8},"repeat":1,"warmup":0,
    "verify_gradients":false,"devices":[{"id":")" +
         devices.first + R"(","max_memory":"1GiB"},{"id":")" + devices.second +
         R"(","max_memory":"1GiB"}],"variants":[{"name":"p","strategy":"pipeline","split_size":4,
    "schedule":"gpipe","stages":[{"first":"a","device":")" +
         devices.first + R"("},{"first":"b","device":")" + devices.second + R"("}]}]})";
}

TEST_P(AsyncLimits, WhatFitsRuns) {
  Bench bench(twoStages(GetParam()));
  EXPECT_TRUE(bench.check("p").passed);
}

TEST_P(AsyncLimits, BeyondItsLimitADeviceIsOutOfMemory) {
  for (const std::size_t small : {0U, 1U}) {
    Bench bench(twoStages(GetParam()));
    const StepPlan plan = bench.variant("p").stepPlan(bench.experiment);
    for (std::size_t row = 0; row < plan.workers.size(); ++row) {
      // Partitions of a GPU share the sum of their limits.
      plan.workers[row]->backend().setMemoryLimit(row == small ? kMiB : 20 * kMiB);
    }
    Executor executor(plan, bench.control);
    const Status built = executor.build(drawInitialValues(*bench.experiment.model, 0, at::kFloat));
    ASSERT_FALSE(built) << plan.workers[small]->name();
    EXPECT_EQ(built.error().code, ErrorCode::OutOfMemory);
    if (!isPartitioned(GetParam())) {
      EXPECT_EQ(built.error().failure.device.value, plan.workers[small]->name());
    }
  }
}

}  // namespace
}  // namespace stagelane::run
