#include "profiler/analysis/layers.h"

#include <gtest/gtest.h>

#include <string>

#include "profiler/trace/layer_events.h"
#include "profiler/trace/trace_builder.h"

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
  Layered& step(std::int32_t repeat, TimeNs startNs, TimeNs endNs, bool extra) {
    m_builder.addStep({repeat, 0, startNs, endNs, extra});
    return *this;
  }
  std::optional<LayerTimes> times() {
    m_trace = std::move(m_builder).build();
    return layerTimes(*m_trace, Analyzer(*m_trace));
  }

 private:
  void add(std::int32_t device, trace::TrackKind kind, TraceBuilder::NewEvent event) {
    const std::int32_t index = m_builder.device("d" + std::to_string(device));
    event.track =
        m_builder.track(index, kind, kind == trace::TrackKind::Compute ? "compute" : "ops");
    event.stage = StageId{device};
    event.microBatch = MicroBatchId{0};
    m_builder.add(event);
  }
  TraceBuilder m_builder;
  trace::TracePtr m_trace;
};

const LayerTime& row(const LayerTimes& times, std::string_view name) {
  for (const LayerTime& some : times.rows) {
    if (some.name == name) {
      return some;
    }
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

TEST(LayerTimes, AreNothingWithoutLayers) {
  Layered trace;
  trace.action(0, Category::Forward, 0, 100);
  EXPECT_FALSE(trace.times());
  EXPECT_FALSE(Layered().times());
}

}  // namespace
}  // namespace stagelane::analysis
