#include "engine/run/device/backend.h"

#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/relu.h>
#include <dirent.h>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sched.h>

#include <chrono>
#include <string>
#include <thread>

#include "engine/run/device/allocator.h"
#include "engine/run/device/worker.h"
#include "engine/run/engine.h"

namespace stagelane::run {
namespace {

Result<std::unique_ptr<Backend>> make(const std::string& id, BackendOptions options = {}) {
  if (options.owner == 0) options.owner = 1;
  return makeBackend(DeviceId{id}, options);
}

int openMpThreads() {
  auto* const symbol = dlsym(RTLD_DEFAULT, "omp_get_max_threads");
  return symbol == nullptr ? -1 : reinterpret_cast<int (*)()>(symbol)();
}

int mklThreads() {
  auto* const symbol = dlsym(RTLD_DEFAULT, "MKL_Get_Max_Threads");
  return symbol == nullptr ? -1 : reinterpret_cast<int (*)()>(symbol)();
}

TEST(MakeBackend, MakesACpuWorker) {
  const auto backend = make("cpu:0");
  ASSERT_TRUE(backend) << describe(backend.error());
  EXPECT_EQ((*backend)->torchDevice(), at::Device(at::kCPU));
}

TEST(MakeBackend, RefusesWhatCannotRun) {
  EXPECT_EQ(make("sim:0").error().code, ErrorCode::Invalid);
  EXPECT_EQ(make("tpu").error().code, ErrorCode::Invalid);
  EXPECT_TRUE(make("cpu:0@1")) << "a device of another process is its own there";
  BackendOptions noThreads;
  noThreads.threads = 0;
  EXPECT_EQ(make("cpu:0", noThreads).error().code, ErrorCode::Invalid);
  BackendOptions tooMany;
  tooMany.owner = kMaxOwners;
  EXPECT_EQ(make("cpu:0", tooMany).error().code, ErrorCode::Invalid);
}

TEST(MakeBackend, AGpuThatIsNotThereIsAMissingDevice) {
  const auto backend = make("cuda:999");
  ASSERT_FALSE(backend);
  EXPECT_EQ(backend.error().code, ErrorCode::DeviceMissing);
  EXPECT_FALSE(backend.error().hint.empty());
}

TEST(CpuWorker, HasAsManyThreadsAsAskedEvenAfterParallelWork) {
  for (const int threads : {1, 2}) {
    BackendOptions options;
    options.owner = threads;
    options.threads = threads;
    auto backend = makeBackend(DeviceId{"cpu:0"}, options);
    ASSERT_TRUE(backend);
    Worker worker("cpu:0", std::move(*backend));
    int openMp = 0;
    int mkl = 0;
    EXPECT_TRUE(worker
                    .submit([&]() -> Status {
                      const at::Tensor a = at::randn({512, 512});
                      static_cast<void>(at::mm(a, a));
                      static_cast<void>(at::relu(at::randn({1 << 20})));
                      openMp = openMpThreads();
                      mkl = mklThreads();
                      return {};
                    })
                    .get());
    EXPECT_EQ(openMp, threads);
    if (mkl != -1) {
      EXPECT_EQ(mkl, threads);
    }
  }
}

TEST(CpuWorker, ThreadsOfOneWorkerDoNotChangeThoseOfAnother) {
  BackendOptions one;
  one.owner = 1;
  BackendOptions two;
  two.owner = 2;
  two.threads = 2;
  Worker a("cpu:0", std::move(*makeBackend(DeviceId{"cpu:0"}, one)));
  Worker b("cpu:1", std::move(*makeBackend(DeviceId{"cpu:1"}, two)));
  int seenByA = 0;
  int seenByB = 0;
  EXPECT_TRUE(b.submit([&]() -> Status {
                 seenByB = openMpThreads();
                 return {};
               }).get());
  EXPECT_TRUE(a.submit([&]() -> Status {
                 seenByA = openMpThreads();
                 return {};
               }).get());
  EXPECT_EQ(seenByA, 1);
  EXPECT_EQ(seenByB, 2);
}

TEST(CpuWorker, PinnedItRunsOnItsCoreAlone) {
  BackendOptions options;
  options.owner = 1;
  options.pin = true;
  Worker worker("cpu:0", std::move(*makeBackend(DeviceId{"cpu:0"}, options)));
  int allowed = 0;
  EXPECT_TRUE(worker
                  .submit([&]() -> Status {
                    cpu_set_t set;
                    CPU_ZERO(&set);
                    if (sched_getaffinity(0, sizeof(set), &set) == 0) allowed = CPU_COUNT(&set);
                    return {};
                  })
                  .get());
  EXPECT_EQ(allowed, 1);
}

TEST(CpuWorker, MarkersFollowTheMonotonicClock) {
  const auto backend = make("cpu:0");
  ASSERT_TRUE(backend);
  const auto before = std::chrono::steady_clock::now().time_since_epoch();
  const auto first = (*backend)->mark();
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  const auto second = (*backend)->mark();
  EXPECT_GE(first->timeNs(), std::chrono::nanoseconds(before).count());
  EXPECT_GE(second->timeNs() - first->timeNs(), 2'000'000);
}

TEST(CpuWorker, ABoundaryTensorSharesItsStorageAndLeavesItsGraphBehind) {
  const auto sender = make("cpu:0");
  const auto receiver = make("cpu:1");
  ASSERT_TRUE(sender && receiver);
  const at::Tensor leaf = at::ones({3}).requires_grad_();
  const at::Tensor sent = leaf.mul(2);
  Parcel parcel = (*sender)->send(sent, **receiver);
  EXPECT_EQ(parcel.sendStart->timeNs(), parcel.arrived->timeNs());
  const at::Tensor received = (*receiver)->receive(parcel, {});
  EXPECT_EQ(received.data_ptr(), sent.data_ptr());
  EXPECT_FALSE(received.requires_grad());
  EXPECT_FALSE(parcel.tensor.defined()) << "the parcel lets go of what was taken";
}

TEST(Parcel, RepeatedValuesTravelOnceAndArriveWithTheirStrides) {
  Parcel parcel;
  parcel.tensor = at::ones({2, 3, 1, 1}).expand({2, 3, 8, 8});
  const std::vector<std::int64_t> strides = parcel.tensor.strides().vec();
  leaveOutRepeats(parcel);
  EXPECT_EQ(parcel.tensor.numel(), 6);
  parcel.tensor = parcel.tensor.clone();
  const at::Tensor arrived = unpacked(parcel);
  EXPECT_EQ(arrived.sizes().vec(), (std::vector<std::int64_t>{2, 3, 8, 8}));
  EXPECT_EQ(arrived.strides().vec(), strides);
}

TEST(Parcel, ADenseTensorTravelsAsItIs) {
  Parcel parcel;
  parcel.tensor = at::ones({2, 3});
  leaveOutRepeats(parcel);
  EXPECT_TRUE(parcel.repeatedTo.empty());
  EXPECT_EQ(unpacked(parcel).numel(), 6);
}

TEST(CpuWorker, CountsThePeakOfItsOwnAllocations) {
  installAllocator(plan::AllocatorKind::Caching);
  BackendOptions options;
  options.owner = 13;
  Worker worker("cpu:0", std::move(*makeBackend(DeviceId{"cpu:0"}, options)));
  worker.backend().resetPeakBytes();
  const Bytes before = worker.backend().peakBytes();
  EXPECT_TRUE(worker
                  .submit([]() -> Status {
                    static_cast<void>(at::ones({1 << 20}, at::kByte));
                    return {};
                  })
                  .get());
  EXPECT_EQ(worker.backend().peakBytes() - before, 1 << 20);
}

TEST(CpuWorker, BackwardRunsInItsOwnThread) {
  installAllocator(plan::AllocatorKind::Caching);
  BackendOptions options;
  options.owner = 14;
  Worker worker("cpu:0", std::move(*makeBackend(DeviceId{"cpu:0"}, options)));
  at::Tensor leaf = at::ones({1000}).requires_grad_();
  const Bytes before = allocationStats(14).live;
  EXPECT_TRUE(worker
                  .submit([&leaf]() -> Status {
                    leaf.mul(3).sum().backward();
                    return {};
                  })
                  .get());
  ASSERT_TRUE(leaf.grad().defined());
  EXPECT_EQ(allocationStats(14).live - before, 4000) << "the gradient belongs to the worker";
}

}  // namespace
}  // namespace stagelane::run
