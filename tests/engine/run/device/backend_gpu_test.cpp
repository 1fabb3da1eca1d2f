// Tests of the backends that need a GPU. They need no CUDA header: everything goes through Backend.

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/randn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "engine/run/device/backend.h"
#include "engine/run/device/worker.h"
#include "engine/run/engine.h"
#include "engine/run/step/tensors.h"
#include "tests/engine/run/gpu/gpu_place.h"

namespace stagelane::run {
namespace {

using ::testing::HasSubstr;

class Gpu : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string reason = test::whyTooFewGpus(1);
    if (!reason.empty()) GTEST_SKIP() << reason;
  }
};

class TwoGpus : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string reason = test::whyTooFewGpus(2);
    if (!reason.empty()) GTEST_SKIP() << reason;
  }
};

std::unique_ptr<Worker> worker(const std::string& id) {
  auto backend = makeBackend(DeviceId{id}, BackendOptions{});
  EXPECT_TRUE(backend) << describe(backend.error());
  return backend ? std::make_unique<Worker>(id, std::move(*backend)) : nullptr;
}

void onWorker(Worker& on, std::function<void()> body) {
  const Status status = on.submit([&body]() -> Status {
                            body();
                            return {};
                          }).get();
  EXPECT_TRUE(status) << describe(status.error());
}

TimeNs now() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Sends `value` from one worker's device to the other's and back to the host.
at::Tensor carried(Worker& from, Worker& to, const at::Tensor& value, Parcel& parcel) {
  at::Tensor arrived;
  onWorker(from, [&] {
    parcel = from.backend().send(value.to(from.backend().torchDevice()), to.backend());
  });
  onWorker(to, [&] { arrived = to.backend().receive(parcel, {}).mul(1); });
  from.backend().synchronize();
  to.backend().synchronize();
  return arrived.to(at::kCPU);
}

TEST_F(Gpu, MarkersFollowTheHostsClock) {
  const auto gpu = worker("cuda:0");
  ASSERT_NE(gpu, nullptr);
  std::shared_ptr<Marker> first;
  std::shared_ptr<Marker> second;
  const TimeNs before = now();
  onWorker(*gpu, [&] {
    first = gpu->backend().mark();
    const at::Tensor a = at::randn({2048, 2048}, at::device(at::kCUDA));
    static_cast<void>(at::mm(a, a));
    second = gpu->backend().mark();
  });
  gpu->backend().synchronize();
  const TimeNs after = now();
  constexpr TimeNs kSlack = 200'000;  // the uncertainty of the reference's time
  EXPECT_GE(first->timeNs(), before - kSlack);
  EXPECT_GT(second->timeNs(), first->timeNs());
  EXPECT_LE(second->timeNs(), after + kSlack);
}

TEST_F(Gpu, ResNet18InFloat64AgreesWithTheCpu) {
  const auto model = model::modelFromArgument("resnet18");
  ASSERT_TRUE(model);
  const std::size_t last = (*model)->blocks.size() - 1;
  const auto values = drawInitialValues(**model, 0, at::kDouble);
  const at::Tensor input = at::randn({2, 3, 64, 64}, at::kDouble);
  const StageTensors onCpu(**model, 0, last, values, at::kCPU, plan::MemoryFormat::Contiguous);
  runBlocks(**model, 0, last, onCpu, {input}).at(0).sum().backward();
  const auto gpu = worker("cuda:0");
  ASSERT_NE(gpu, nullptr);
  onWorker(*gpu, [&] {
    const at::Device device = gpu->backend().torchDevice();
    const StageTensors onGpu(**model, 0, last, values, device, plan::MemoryFormat::Contiguous);
    runBlocks(**model, 0, last, onGpu, {input.to(device)}).at(0).sum().backward();
    for (std::size_t i = 0; i < onGpu.parameters().size(); ++i) {
      const at::Tensor ours = onGpu.parameters()[i].second.grad().to(at::kCPU);
      const at::Tensor theirs = onCpu.parameters()[i].second.grad();
      const double scale = theirs.abs().max().item<double>();
      EXPECT_LE((ours - theirs).abs().max().item<double>(), 1e-10 * scale)
          << onGpu.parameters()[i].first;
    }
  });
}

TEST_F(Gpu, BackwardRunsInTheWorkersThread) {
  const auto gpu = worker("cuda:0");
  ASSERT_NE(gpu, nullptr);
  onWorker(*gpu, [] {
    const at::Tensor leaf = at::randn({8}, at::device(at::kCUDA)).requires_grad_();
    const at::Tensor middle = leaf.mul(2);
    std::thread::id seen;
    middle.register_hook([&seen](const at::Tensor& gradient) {
      seen = std::this_thread::get_id();
      return gradient;
    });
    middle.sum().backward();
    EXPECT_EQ(seen, std::this_thread::get_id());
  });
}

TEST_F(Gpu, ATensorGoesToACpuWorkerAndBack) {
  const auto gpu = worker("cuda:0");
  const auto cpu = worker("cpu:0");
  ASSERT_TRUE(gpu && cpu);
  const at::Tensor value = at::randn({1000, 1001});
  Parcel parcel;
  EXPECT_TRUE(at::equal(carried(*gpu, *cpu, value, parcel), value));
  EXPECT_GE(parcel.arrived->timeNs(), parcel.sendStart->timeNs());
  EXPECT_TRUE(at::equal(carried(*cpu, *gpu, value, parcel), value));
}

TEST_F(Gpu, BeyondItsMemoryLimitItIsOutOfMemory) {
  const auto gpu = worker("cuda:0");
  ASSERT_NE(gpu, nullptr);
  gpu->backend().setMemoryLimit(Bytes{1} << 30);
  const Status status = gpu->submit([]() -> Status {
                             static_cast<void>(at::empty({std::int64_t{2} << 30},
                                                         at::device(at::kCUDA).dtype(at::kByte)));
                             return {};
                           })
                            .get();
  gpu->backend().setMemoryLimit(0);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::OutOfMemory) << status.error().message;
}

TEST_F(Gpu, CountsThePeakOfItsAllocations) {
  const auto gpu = worker("cuda:0");
  ASSERT_NE(gpu, nullptr);
  gpu->backend().resetPeakBytes();
  const Bytes before = gpu->backend().peakBytes();
  onWorker(*gpu, [] {
    static_cast<void>(at::empty({std::int64_t{1} << 26}, at::device(at::kCUDA).dtype(at::kByte)));
  });
  EXPECT_GE(gpu->backend().peakBytes() - before, Bytes{1} << 26);
}

TEST_F(Gpu, TwoPartitionsComputeAndExchangeTensors) {
  const auto first = worker("cuda:0/1of2");
  const auto second = worker("cuda:0/2of2");
  ASSERT_TRUE(first && second);
  EXPECT_THAT(first->backend().remark(), HasSubstr("SMs requested"));
  const at::Tensor value = at::randn({512, 512});
  Parcel parcel;
  EXPECT_TRUE(at::equal(carried(*first, *second, value, parcel), value));
}

TEST_F(Gpu, AGpuIsDividedOnlyOneWay) {
  const auto half = worker("cuda:0/1of2");
  ASSERT_NE(half, nullptr);
  const auto third = makeBackend(DeviceId{"cuda:0/1of3"}, BackendOptions{});
  ASSERT_FALSE(third);
  EXPECT_EQ(third.error().code, ErrorCode::Invalid);
}

TEST_F(TwoGpus, ABoundaryTensorCrosses) {
  const auto first = worker("cuda:0");
  const auto second = worker("cuda:1");
  ASSERT_TRUE(first && second);
  std::printf("%s\n", first->backend().prepareTransfer(second->backend(), {})->c_str());
  const at::Tensor value = at::randn({64, 129, 33});
  Parcel parcel;
  EXPECT_TRUE(at::equal(carried(*first, *second, value, parcel), value));
  EXPECT_GT(parcel.arrived->timeNs(), parcel.sendStart->timeNs());
}

}  // namespace
}  // namespace stagelane::run
