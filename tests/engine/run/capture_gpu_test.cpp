// Tests of the recording of kernels that need a GPU. They need no CUDA header: work goes through
// Backend, and CUPTI's records are read from the trace.

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/randn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <set>

#include "engine/run/device/backend.h"
#include "engine/run/device/worker.h"
#include "engine/run/engine.h"
#include "engine/trace/recorder.h"
#include "engine/trace/trace_builder.h"
#include "profiler/capture/capture_session.h"
#include "tests/engine/run/gpu/gpu_place.h"

namespace stagelane::run {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::SizeIs;

/// A device's worker whose thread is registered with the device's index, as in a run.
struct Place {
  Place(const std::string& id, std::int32_t index) {
    auto backend = makeBackend(DeviceId{id}, BackendOptions{});
    EXPECT_TRUE(backend) << describe(backend.error());
    worker = std::make_unique<Worker>(id, std::move(*backend));
    on([index] { trace::setThreadDevice(index); });
  }
  std::future<Status> begin(std::function<void()> body) const {
    return worker->submit([body = std::move(body)]() -> Status {
      body();
      return {};
    });
  }
  void on(std::function<void()> body) const {
    const Status status = begin(std::move(body)).get();
    EXPECT_TRUE(status) << describe(status.error());
  }
  std::unique_ptr<Worker> worker;
};

at::Tensor square(std::int64_t size) { return at::randn({size, size}, at::device(at::kCUDA)); }

/// Seconds that `count` products of a square take on the place, from an idle device to an idle one.
double productSeconds(const Place& place, std::int64_t size, int count) {
  at::Tensor a;
  place.on([&] {
    a = square(size);
    static_cast<void>(at::mm(a, a));  // libraries make their plans at the first call
  });
  place.worker->backend().synchronize();
  const TimeNs start = trace::monotonicNs();
  place.on([&] {
    for (int i = 0; i < count; ++i) static_cast<void>(at::mm(a, a));
  });
  place.worker->backend().synchronize();
  return static_cast<double>(trace::monotonicNs() - start) * 1e-9;
}

class GpuCapture : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string reason = test::whyTooFewGpus(1);
    if (!reason.empty()) GTEST_SKIP() << reason;
  }

  void start(const std::vector<std::string>& devices) {
    capture::CaptureConfig config;
    config.devices = devices;
    config.originNs = m_originNs = trace::monotonicNs();
    ASSERT_TRUE(m_session->configure(config));
    const Status status = m_session->start();
    ASSERT_TRUE(status) << describe(status.error());
  }
  void stop() {
    trace::TraceBuilder builder;
    auto report = m_session->stop(builder);
    ASSERT_TRUE(report) << describe(report.error());
    m_report = *report;
    m_trace = std::move(builder).build();
    EXPECT_EQ(m_report.dropped, 0U) << m_report.problem;
  }

  [[nodiscard]] std::vector<trace::EventView> eventsOf(trace::Category category) const {
    std::vector<trace::EventView> events;
    for (std::size_t i = 0; i < m_trace->size(); ++i) {
      if (m_trace->event(i).category == category) events.push_back(m_trace->event(i));
    }
    return events;
  }
  /// Names of the tracks below a device that have kernels.
  [[nodiscard]] std::set<std::string> kernelTracks(const std::string& device) const {
    std::set<std::string> names;
    for (const trace::EventView& event : eventsOf(trace::Category::Kernel)) {
      const trace::Track& track = m_trace->tracks()[event.track];
      if (track.device >= 0 &&
          m_trace->devices()[static_cast<std::size_t>(track.device)] == device) {
        names.insert(track.name);
      }
    }
    return names;
  }

  std::unique_ptr<capture::CaptureSession> m_session = capture::makeKernelSession();
  capture::CaptureReport m_report;
  trace::TracePtr m_trace;
  TimeNs m_originNs = 0;
};

TEST_F(GpuCapture, KernelsLieInTheirActionOnTheHostsClock) {
  const Place gpu("cuda:0", 0);
  start({"cuda:0"});
  gpu.on([] {
    const at::Tensor a = square(512);
    const trace::ActionScope scope(StageId{2}, MicroBatchId{5});
    static_cast<void>(at::mm(a, a));
  });
  stop();
  const TimeNs endNs = trace::monotonicNs() - m_originNs;
  const auto kernels = eventsOf(trace::Category::Kernel);
  ASSERT_FALSE(kernels.empty());
  std::size_t ofTheAction = 0;
  for (const trace::EventView& kernel : kernels) {
    EXPECT_GE(kernel.startNs, 0);
    EXPECT_LE(kernel.endNs(), endNs);
    if (kernel.stage == StageId{2}) {
      ++ofTheAction;
      EXPECT_EQ(kernel.microBatch, MicroBatchId{5});
    }
  }
  EXPECT_GE(ofTheAction, 1U) << "external correlation gave no kernel its action";
  EXPECT_LT(ofTheAction, kernels.size()) << "the random numbers are no part of the action";
  EXPECT_FALSE(m_trace->flows().empty()) << "no launch is joined to its kernel";
  EXPECT_THAT(kernelTracks("cuda:0"), SizeIs(1));
}

TEST_F(GpuCapture, ASecondRecordingHasOnlyItsOwnKernels) {
  const Place gpu("cuda:0", 0);
  at::Tensor a;
  gpu.on([&] { a = square(256); });
  std::vector<std::size_t> counts;
  for (int i = 0; i < 3; ++i) {
    start({"cuda:0"});
    gpu.on([&] { static_cast<void>(a.add(1)); });
    stop();
    counts.push_back(eventsOf(trace::Category::Kernel).size());
    gpu.on([&] { static_cast<void>(a.add(1)); });
  }
  EXPECT_THAT(counts, Each(1U));
}

TEST_F(GpuCapture, KernelsOfPartitionsRunInTheirGreenContexts) {
  const std::vector<std::string> devices = {"cuda:0/1of2", "cuda:0/2of2"};
  const Place first(devices[0], 0);
  const Place second(devices[1], 1);
  start(devices);
  for (const Place* const place : {&first, &second}) {
    place->on([] {
      const trace::ActionScope scope(StageId{0}, MicroBatchId{0});
      const at::Tensor a = square(512);
      static_cast<void>(at::mm(a, a));
    });
  }
  stop();
  std::set<std::string> seen;
  for (const std::string& device : devices) {
    const std::set<std::string> tracks = kernelTracks(device);
    for (const std::string& track : tracks) std::printf("%s: %s\n", device.c_str(), track.c_str());
    ASSERT_THAT(tracks, SizeIs(1)) << device;
    EXPECT_THAT(*tracks.begin(), HasSubstr("green context")) << device;
    seen.insert(*tracks.begin());
  }
  EXPECT_THAT(seen, SizeIs(2)) << "both partitions are in one context";
}

TEST_F(GpuCapture, APartitionComputesAsItsMultiprocessorsLetIt) {
  const Place whole("cuda:0", 0);
  const Place quarter("cuda:0/1of4", 1);
  constexpr std::int64_t kSize = 4096;
  constexpr int kCount = 20;
  const double wholeSeconds = productSeconds(whole, kSize, kCount);
  const double quarterSeconds = productSeconds(quarter, kSize, kCount);
  std::printf("%d products of %d: the whole GPU %.4f s, a quarter %.4f s, %.2f times\n", kCount,
              static_cast<int>(kSize), wholeSeconds, quarterSeconds, quarterSeconds / wholeSeconds);
  EXPECT_GT(quarterSeconds, 1.5 * wholeSeconds) << "the partition does not confine its kernels";
}

TEST_F(GpuCapture, PartitionsComputeAtTheSameTime) {
  const std::vector<std::string> devices = {"cuda:0/1of2", "cuda:0/2of2"};
  const Place first(devices[0], 0);
  const Place second(devices[1], 1);
  constexpr std::int64_t kSize = 4096;
  productSeconds(first, kSize, 1);
  productSeconds(second, kSize, 1);
  start(devices);
  std::vector<std::future<Status>> ends;
  for (const Place* const place : {&first, &second}) {
    ends.push_back(place->begin([] {
      const trace::ActionScope scope(StageId{0}, MicroBatchId{0});
      const at::Tensor a = square(kSize);
      for (int i = 0; i < 20; ++i) static_cast<void>(at::mm(a, a));
    }));
  }
  for (std::future<Status>& end : ends) EXPECT_TRUE(end.get());
  stop();
  TimeNs together = 0;
  const auto kernels = eventsOf(trace::Category::Kernel);
  for (const trace::EventView& one : kernels) {
    for (const trace::EventView& other : kernels) {
      if (one.track < other.track) {
        together += std::max<TimeNs>(
            0, std::min(one.endNs(), other.endNs()) - std::max(one.startNs, other.startNs));
      }
    }
  }
  std::printf("kernels of both partitions ran together for %.3f ms\n",
              static_cast<double>(together) * 1e-6);
  EXPECT_GT(together, 0);
}

TEST_F(GpuCapture, ACopyIsSeenToOverlapTheNextKernels) {
  const Place gpu("cuda:0", 0);
  const Place cpu("cpu:0", 1);
  at::Tensor boundary;
  at::Tensor a;
  gpu.on([&] {
    boundary = square(8192);
    a = square(4096);
    static_cast<void>(at::mm(a, a));
  });
  gpu.worker->backend().synchronize();
  start({"cuda:0", "cpu:0"});
  Parcel parcel;
  gpu.on([&] {
    parcel = gpu.worker->backend().send(boundary, cpu.worker->backend());
    for (int i = 0; i < 20; ++i) static_cast<void>(at::mm(a, a));
  });
  stop();
  bool overlaps = false;
  const auto kernels = eventsOf(trace::Category::Kernel);
  for (const trace::EventView& copy : eventsOf(trace::Category::Copy)) {
    for (const trace::EventView& kernel : kernels) {
      overlaps = overlaps || (copy.track != kernel.track && copy.startNs < kernel.endNs() &&
                              kernel.startNs < copy.endNs());
    }
  }
  EXPECT_TRUE(overlaps);
}

TEST_F(GpuCapture, SaysWhatRecordingCosts) {
  const Place gpu("cuda:0", 0);
  at::Tensor a;
  gpu.on([&] { a = square(64); });
  constexpr int kKernels = 20000;
  constexpr int kPairs = 11;
  const auto seconds = [&] {
    const TimeNs begin = trace::monotonicNs();
    gpu.on([&] {
      const trace::ActionScope scope(StageId{0}, MicroBatchId{0});
      for (int i = 0; i < kKernels; ++i) a.add_(1);
    });
    gpu.worker->backend().synchronize();
    return static_cast<double>(trace::monotonicNs() - begin) * 1e-9;
  };
  static_cast<void>(seconds());
  std::vector<double> off;
  std::vector<double> difference;
  for (int pair = 0; pair < kPairs; ++pair) {
    off.push_back(seconds());
    start({"cuda:0"});
    const double on = seconds();
    stop();
    difference.push_back(on - off.back());
    EXPECT_EQ(eventsOf(trace::Category::Kernel).size(), static_cast<std::size_t>(kKernels));
  }
  std::sort(off.begin(), off.end());
  std::sort(difference.begin(), difference.end());
  const double plain = off[kPairs / 2] / kKernels * 1e9;
  const double more = difference[kPairs / 2] / kKernels * 1e9;
  std::printf(
      "a small kernel takes %.0f ns, recorded %.0f ns more (%.1f %%); medians of %d pairs\n", plain,
      more, 100.0 * more / plain, kPairs);
}

}  // namespace
}  // namespace stagelane::run
