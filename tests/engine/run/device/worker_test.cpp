#include "engine/run/device/worker.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <c10/util/Exception.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <thread>

#include "engine/base/text.h"
#include "engine/run/device/allocator.h"
#include "engine/run/engine.h"

namespace stagelane::run {
namespace {

using ::testing::HasSubstr;

std::unique_ptr<Backend> cpuWorker(int owner, int threads = 1) {
  BackendOptions options;
  options.owner = owner;
  options.threads = threads;
  auto backend = makeBackend(DeviceId{"cpu:0"}, options);
  EXPECT_TRUE(backend) << describe(backend.error());
  return std::move(*backend);
}

/// A device whose thread cannot be entered.
class BrokenBackend final : public Backend {
 public:
  [[nodiscard]] at::Device torchDevice() const override { return at::kCPU; }
  void enterThread() override { throw std::runtime_error("no such stream\nat line 3"); }
  void leaveThread() override {}
  [[nodiscard]] std::shared_ptr<Marker> mark() override { return nullptr; }
  void synchronize() override {}
  [[nodiscard]] Parcel send(const at::Tensor&, Backend&) override { return {}; }
  [[nodiscard]] at::Tensor receive(Parcel&, const StopCheck&) override { return {}; }
  [[nodiscard]] Bytes peakBytes() const override { return 0; }
  [[nodiscard]] Bytes liveBytes() const override { return 0; }
  void resetPeakBytes() override {}
  void setMemoryLimit(Bytes) override {}
  [[nodiscard]] Bytes memoryBytes() const override { return 0; }
  void releaseCache() override {}
};

TEST(Guarded, PassesOnWhatTheBodyAnswers) {
  EXPECT_TRUE(guarded("cpu:0 F", []() -> Status { return {}; }));
  const Status status =
      guarded("cpu:0 F", []() -> Status { return fail(ErrorCode::GradientMismatch, "differs"); });
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::GradientMismatch);
  EXPECT_EQ(status.error().message, "differs");
}

TEST(Guarded, AnExceptionIsAnEngineFailureWithItsFirstLine) {
  const Status status =
      guarded("cpu:1 B of stage 1", []() -> Status { throw std::runtime_error("first\nsecond"); });
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::EngineFailure);
  EXPECT_EQ(status.error().message, "cpu:1 B of stage 1: first");
}

TEST(Guarded, AnErrorOfTorchIsAnEngineFailureWithoutItsBacktrace) {
  const Status status = guarded("cpu:0 F", []() -> Status {
    static_cast<void>(at::mm(at::ones({2, 3}), at::ones({2, 3})));
    return {};
  });
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::EngineFailure);
  EXPECT_THAT(status.error().message, HasSubstr("cpu:0 F: mat1 and mat2 shapes"));
  EXPECT_EQ(status.error().message.find('\n'), std::string::npos);
}

TEST(Guarded, ExhaustedMemoryHasItsOwnCodeAndAHint) {
  for (const auto& body : std::vector<std::function<Status()>>{
           []() -> Status {
             TORCH_CHECK_WITH(OutOfMemoryError, false, "needs 2 GiB");
             return {};
           },
           []() -> Status { throw std::bad_alloc(); },
           []() -> Status {
             TORCH_CHECK(false, "CUDA error: out of memory");
             return {};
           }}) {
    const Status status = guarded("cuda:0 F", body);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::OutOfMemory) << status.error().message;
    EXPECT_THAT(status.error().hint, HasSubstr("split_size"));
  }
}

TEST(Guarded, SurvivesAnExceptionOfNoKnownKind) {
  const Status status = guarded("cpu:0", []() -> Status { throw 3; });
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::EngineFailure);
}

TEST(Worker, DoesJobsInOrderOnOneThreadOfItsOwn) {
  Worker worker("cpu:0", cpuWorker(1));
  std::vector<int> order;
  std::thread::id first;
  std::thread::id second;
  auto a = worker.submit([&]() -> Status {
    order.push_back(1);
    first = std::this_thread::get_id();
    return {};
  });
  auto b = worker.submit([&]() -> Status {
    order.push_back(2);
    second = std::this_thread::get_id();
    return {};
  });
  EXPECT_TRUE(a.get());
  EXPECT_TRUE(b.get());
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
  EXPECT_EQ(first, second);
  EXPECT_NE(first, std::this_thread::get_id());
}

TEST(Worker, GoesOnAfterAFailedJob) {
  Worker worker("cpu:3", cpuWorker(1));
  const Status failed = worker.submit([]() -> Status { throw std::runtime_error("oops"); }).get();
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "cpu:3: oops");
  EXPECT_TRUE(worker.submit([]() -> Status { return {}; }).get());
}

TEST(Worker, EveryJobOfADeviceThatCannotStartAnswersWhy) {
  Worker worker("cuda:9", std::make_unique<BrokenBackend>());
  for (int i = 0; i < 2; ++i) {
    const Status status = worker.submit([]() -> Status { return {}; }).get();
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().message, "starting cuda:9: no such stream");
  }
}

TEST(Worker, EndingAnswersTheJobsThatHaveNotBegun) {
  std::future<Status> running;
  std::future<Status> waiting;
  std::promise<void> begun;
  {
    Worker worker("cpu:0", cpuWorker(1));
    running = worker.submit([&begun, &worker]() -> Status {
      begun.set_value();
      // A worker that is ending answers new submissions at once.
      while (worker.submit([]() -> Status { return {}; }).wait_for(std::chrono::milliseconds(1)) !=
             std::future_status::ready) {
      }
      return {};
    });
    waiting = worker.submit([]() -> Status { return {}; });
    begun.get_future().wait();
  }
  EXPECT_TRUE(running.get());
  const Status status = waiting.get();
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message, HasSubstr("ended before"));
}

TEST(Worker, WhatAJobHoldsIsGoneWhenItsEndIsKnown) {
  Worker worker("cpu:0", cpuWorker(1));
  const auto held = std::make_shared<int>(1);
  auto copy = held;
  EXPECT_TRUE(worker.submit([moved = std::move(copy)]() -> Status { return {}; }).get());
  EXPECT_EQ(held.use_count(), 1);
}

TEST(Worker, AllocatesInTheNameOfItsDevice) {
  installAllocator(plan::AllocatorKind::Caching);
  Worker worker("cpu:0", cpuWorker(11));
  at::Tensor kept;
  const Bytes before = allocationStats(11).live;
  EXPECT_TRUE(worker
                  .submit([&kept]() -> Status {
                    kept = at::empty({1000}, at::kByte);
                    return {};
                  })
                  .get());
  EXPECT_EQ(allocationStats(11).live - before, 1000);
}

TEST(Worker, AMemoryLimitEndsInOutOfMemoryThatNamesTheDevice) {
  installAllocator(plan::AllocatorKind::Caching);
  Worker worker("cpu:1", cpuWorker(12));
  worker.backend().setMemoryLimit(1 << 20);
  const Status status = worker
                            .submit([]() -> Status {
                              static_cast<void>(at::empty({2 << 20}, at::kByte));
                              return {};
                            })
                            .get();
  worker.backend().setMemoryLimit(0);
  ASSERT_FALSE(status);
  EXPECT_EQ(failureOf(status.error()), (Failure{FailureKind::OutOfMemory, "", {"cpu:1"}}));
  EXPECT_THAT(status.error().message,
              HasSubstr("cpu:1: out of memory: needs " + humanBytes(2 << 20) + " more"));
}

}  // namespace
}  // namespace stagelane::run
