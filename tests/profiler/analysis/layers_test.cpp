#include "profiler/analysis/layers.h"

#include <gtest/gtest.h>

#include <string>

#include "engine/trace/layer_events.h"
#include "engine/trace/trace_builder.h"

namespace stagelane::analysis {
namespace {

using trace::Category;
using trace::TraceBuilder;

/// A trace with actions and layers, an event a call.
class Layered {
 public:
  Layered& action(std::int32_t device, Category category, TimeNs startNs, TimeNs endNs) {
    TraceBuilder::NewEvent event;
    event.startNs = startNs;
    event.durationNs = endNs - startNs;
    event.name = word(category);
    event.category = category;
    add(device, trace::TrackKind::Compute, event);
    return *this;
  }
  Layered& layer(std::int32_t device, const std::string& name, TimeNs startNs, TimeNs endNs) {
    TraceBuilder::NewEvent event;
    event.startNs = startNs;
    event.durationNs = endNs - startNs;
    event.name = name;
    event.categoryWord = trace::kLayerWord;
    add(device, trace::TrackKind::Operators, event);
    return *this;
  }
  /// A call of the host in [callNs, callNs + 2) and what it launched.
  Layered& launch(std::int32_t device, TimeNs callNs, TimeNs startNs, TimeNs endNs,
                  const std::string& stream = "stream 7") {
    ++m_launches;
    TraceBuilder::NewEvent call;
    call.startNs = callNs;
    call.durationNs = 2;
    call.name = "cudaLaunchKernel";
    call.correlation = m_launches;
    add(device, trace::TrackKind::Other, call, "CUDA calls");
    TraceBuilder::NewEvent kernel;
    kernel.startNs = startNs;
    kernel.durationNs = endNs - startNs;
    kernel.name = "kernel";
    kernel.category = Category::Kernel;
    kernel.correlation = m_launches;
    add(device, trace::TrackKind::Kernels, kernel, stream);
    return *this;
  }
  Layered& step(std::int32_t repeat, TimeNs startNs, TimeNs endNs, bool extra) {
    m_builder.addStep({repeat, 0, startNs, endNs, extra});
    return *this;
  }
  std::optional<LayerTimes> times() {
    m_trace = std::move(m_builder).build();
    return layerTimes(*m_trace, Analyzer(*m_trace));
  }

 private:
  void add(std::int32_t device, trace::TrackKind kind, TraceBuilder::NewEvent event,
           const std::string& track = "") {
    const std::int32_t index = m_builder.device("d" + std::to_string(device));
    const bool compute = kind == trace::TrackKind::Compute;
    event.track = m_builder.track(
        index, kind, !track.empty() ? track : std::string(compute ? "compute" : "ops"));
    event.stage = StageId{device};
    event.microBatch = MicroBatchId{0};
    m_builder.add(event);
  }
  TraceBuilder m_builder;
  trace::TracePtr m_trace;
  std::uint32_t m_launches = 0;
};

const LayerTime& row(const LayerTimes& times, std::string_view name) {
  for (const LayerTime& some : times.rows) {
    if (some.name == name) return some;
  }
  ADD_FAILURE() << "no row " << name;
  static const LayerTime none;
  return none;
}

TEST(LayerTimes, AreForwardAndBackwardByTheActionAroundThem) {
  Layered trace;
  trace.action(0, Category::Forward, 0, 100).action(0, Category::Backward, 100, 400);
  trace.layer(0, "conv", 10, 60).layer(0, "fc", 60, 90);
  trace.layer(0, "fc", 100, 150).layer(0, "conv", 150, 300).layer(0, "conv", 310, 390);
  const auto times = trace.times();
  ASSERT_TRUE(times);
  EXPECT_EQ(times->busyNs, 400);
  ASSERT_EQ(times->rows.size(), 2U);
  EXPECT_EQ(times->rows[0].name, "conv");
  EXPECT_EQ(row(*times, "conv").forwardNs, 50);
  EXPECT_EQ(row(*times, "conv").backwardNs, 230);
  EXPECT_EQ(row(*times, "conv").events, 3U);
  EXPECT_EQ(row(*times, "fc").forwardNs, 30);
  EXPECT_EQ(row(*times, "fc").backwardNs, 50);
}

TEST(LayerTimes, GiveAMomentToTheInnermostLayer) {
  Layered trace;
  trace.action(0, Category::Forward, 0, 100);
  trace.layer(0, "outer", 0, 100).layer(0, "inner", 20, 50).layer(0, "second", 50, 120);
  const auto times = trace.times();
  ASSERT_TRUE(times);
  EXPECT_EQ(row(*times, "outer").forwardNs, 20);
  EXPECT_EQ(row(*times, "inner").forwardNs, 30);
  EXPECT_EQ(row(*times, "second").forwardNs, 50);
}

TEST(LayerTimes, CountOnlyWhatLiesInComputeAndInTheStep) {
  Layered trace;
  trace.action(0, Category::Forward, 100, 200).step(0, 100, 200, false);
  trace.layer(0, "before", 0, 100).layer(0, "half", 150, 300).layer(0, "empty", 120, 120);
  const auto times = trace.times();
  ASSERT_TRUE(times);
  EXPECT_EQ(times->busyNs, 100);
  EXPECT_EQ(row(*times, "half").totalNs(), 50);
  EXPECT_EQ(row(*times, "empty").totalNs(), 0);
  EXPECT_EQ(times->rows.size(), 2U);
}

TEST(LayerTimes, SayWhatLiesOnTheCriticalPath) {
  Layered trace;
  trace.action(0, Category::Forward, 0, 100).action(1, Category::Forward, 100, 150);
  trace.layer(0, "first", 0, 100).layer(1, "last", 110, 150);
  const auto times = trace.times();
  ASSERT_TRUE(times);
  EXPECT_EQ(times->criticalBusyNs, 150);
  EXPECT_EQ(row(*times, "first").criticalNs, 100);
  EXPECT_EQ(row(*times, "last").criticalNs, 40);
  EXPECT_EQ(row(*times, "last").device, 1);
}

TEST(LayerTimes, AreOfAStepThatHasLayers) {
  Layered trace;
  trace.action(0, Category::Forward, 0, 100).action(0, Category::Forward, 200, 300);
  trace.step(0, 0, 100, false).step(1, 200, 300, true);
  trace.layer(0, "conv", 210, 220);
  const auto times = trace.times();
  ASSERT_TRUE(times);
  EXPECT_TRUE(times->step.extra);
  EXPECT_EQ(times->step.repeat, 1);
}

TEST(LayerTimes, OnAGpuAreThoseOfTheKernelsThatWereLaunchedInsideTheLayer) {
  Layered trace;
  // The host is far ahead of the device: its events say nothing about when the device worked.
  trace.layer(0, "conv", 0, 20).layer(0, "fc", 20, 40);
  trace.launch(0, 5, 100, 150).launch(0, 15, 160, 180).launch(0, 25, 180, 290);
  trace.layer(0, "fc", 40, 60).layer(0, "conv", 60, 80);
  trace.launch(0, 45, 300, 350).launch(0, 65, 350, 480);
  // Outside all layers: the optimizer's kernels.
  trace.launch(0, 90, 480, 495);
  trace.action(0, Category::Forward, 100, 290).action(0, Category::Backward, 300, 500);
  trace.step(0, 0, 500, false);
  const auto times = trace.times();
  ASSERT_TRUE(times);
  EXPECT_EQ(times->busyNs, 390);
  EXPECT_EQ(row(*times, "conv").forwardNs, 70);
  EXPECT_EQ(row(*times, "conv").backwardNs, 130);
  EXPECT_EQ(row(*times, "fc").forwardNs, 110);
  EXPECT_EQ(row(*times, "fc").backwardNs, 50);
  EXPECT_EQ(row(*times, "conv").criticalNs, 200);
}

TEST(LayerTimes, OnAGpuGiveAMomentOfTwoStreamsToTheKernelThatBeganFirst) {
  Layered trace;
  trace.layer(0, "conv", 0, 20).layer(0, "fc", 20, 40);
  trace.launch(0, 5, 100, 150).launch(0, 25, 120, 180, "stream 8");
  trace.action(0, Category::Forward, 100, 200).step(0, 0, 200, false);
  const auto times = trace.times();
  ASSERT_TRUE(times);
  EXPECT_EQ(row(*times, "conv").forwardNs, 50);
  EXPECT_EQ(row(*times, "fc").forwardNs, 30);
}

TEST(LayerTimes, OfAProcessorBesideAGpuStayThoseOfItsEvents) {
  Layered trace;
  trace.layer(0, "conv", 0, 20).launch(0, 5, 100, 150).layer(1, "fc", 150, 190);
  trace.action(0, Category::Forward, 100, 150).action(1, Category::Forward, 150, 200);
  trace.step(0, 0, 200, false);
  const auto times = trace.times();
  ASSERT_TRUE(times);
  EXPECT_EQ(row(*times, "conv").forwardNs, 50);
  EXPECT_EQ(row(*times, "fc").forwardNs, 40);
}

TEST(LayerTimes, AreNothingWithoutLayers) {
  Layered trace;
  trace.action(0, Category::Forward, 0, 100);
  EXPECT_FALSE(trace.times());
  EXPECT_FALSE(Layered().times());
}

}  // namespace
}  // namespace stagelane::analysis
