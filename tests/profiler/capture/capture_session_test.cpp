#include "profiler/capture/capture_session.h"

#include <ATen/ops/add.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/tanh.h>
#include <ATen/record_function.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "engine/trace/layer_events.h"
#include "engine/trace/recorder.h"
#include "engine/trace/trace_builder.h"
#include "tests/profiler/capture/fake_session.h"

namespace stagelane::capture {
namespace {

CaptureConfig twoDevices() {
  CaptureConfig config;
  config.devices = {"cpu:0", "cpu:1"};
  config.originNs = trace::monotonicNs();
  return config;
}

/// Runs one linear layer in a thread that is registered for a device.
void work(std::int32_t device) {
  std::thread([device] {
    trace::setThreadDevice(device);
    static_cast<void>(at::linear(at::ones({4, 3}), at::ones({2, 3}), at::ones({2})));
  }).join();
}

std::vector<std::string> namesOn(const trace::Trace& trace, const std::string& device) {
  std::vector<std::string> names;
  for (std::size_t index = 0; index < trace.size(); ++index) {
    const trace::EventView view = trace.event(index);
    const std::int32_t owner = trace.tracks()[view.track].device;
    const std::string name = owner < 0 ? "" : trace.devices()[static_cast<std::size_t>(owner)];
    if (name == device) names.emplace_back(view.name);
  }
  return names;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

TEST(OperatorSession, PutsOperatorsOnTheDeviceOfTheirThread) {
  const auto session = makeOperatorSession();
  ASSERT_TRUE(session->configure(twoDevices()));
  ASSERT_TRUE(session->start());
  work(1);
  static_cast<void>(at::add(at::ones({2}), at::ones({2})));
  trace::TraceBuilder builder;
  const Result<CaptureReport> report = session->stop(builder);
  ASSERT_TRUE(report) << describe(report.error());
  const trace::TracePtr trace = std::move(builder).build();
  EXPECT_EQ(report->events, trace->size());
  EXPECT_EQ(report->dropped, 0U);
  EXPECT_TRUE(has(namesOn(*trace, "cpu:1"), "aten::linear"));
  EXPECT_FALSE(has(namesOn(*trace, "cpu:0"), "aten::linear"));
  EXPECT_TRUE(has(namesOn(*trace, ""), "aten::add"));
  for (std::size_t index = 0; index < trace->size(); ++index) {
    EXPECT_GE(trace->event(index).startNs, 0);
    EXPECT_GE(trace->event(index).durationNs, 0);
    EXPECT_EQ(trace->event(index).category, trace::Category::Operator);
  }
}

/// The layers on a trace, in the order of time.
std::vector<std::string> layersOf(const trace::Trace& trace) {
  std::vector<trace::EventView> layers;
  for (std::size_t index = 0; index < trace.size(); ++index) {
    if (trace::isLayer(trace.event(index))) layers.push_back(trace.event(index));
  }
  std::sort(layers.begin(), layers.end(),
            [](const auto& left, const auto& right) { return left.startNs < right.startNs; });
  std::vector<std::string> names;
  for (const trace::EventView& layer : layers) names.emplace_back(layer.name);
  return names;
}

TEST(OperatorSession, NamesTheBackwardOfALayerAfterIt) {
  const auto session = makeOperatorSession();
  ASSERT_TRUE(session->configure(twoDevices()));
  ASSERT_TRUE(session->start());
  std::thread([] {
    trace::setThreadDevice(0);
    at::Tensor input = at::ones({4, 3}).requires_grad_();
    at::Tensor hidden;
    {
      RECORD_USER_SCOPE("first");
      hidden = at::tanh(input);
    }
    at::Tensor between = at::add(hidden, 1.0);
    at::Tensor output;
    {
      RECORD_USER_SCOPE("second");
      output = at::exp(between);
    }
    at::sum(output).backward();
  }).join();
  trace::TraceBuilder builder;
  ASSERT_TRUE(session->stop(builder));
  const trace::TracePtr trace = std::move(builder).build();
  EXPECT_EQ(layersOf(*trace), (std::vector<std::string>{"first", "second", "second", "first"}));
  EXPECT_TRUE(has(namesOn(*trace, "cpu:0"), "AddBackward1")) << "of no layer";
}

TEST(OperatorSession, RecordsNothingBeforeStartAndAfterStop) {
  const auto session = makeOperatorSession();
  ASSERT_TRUE(session->configure(twoDevices()));
  work(0);
  ASSERT_TRUE(session->start());
  trace::TraceBuilder first;
  ASSERT_TRUE(session->stop(first));
  work(0);
  ASSERT_TRUE(session->start());
  trace::TraceBuilder second;
  const Result<CaptureReport> report = session->stop(second);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->events, 0U);
  EXPECT_EQ(std::move(first).build()->size(), 0U);
}

TEST(OperatorSession, CountsWhatDoesNotFit) {
  const auto session = makeOperatorSession();
  CaptureConfig config = twoDevices();
  config.mostEventsPerThread = 1;
  ASSERT_TRUE(session->configure(config));
  ASSERT_TRUE(session->start());
  work(0);
  trace::TraceBuilder builder;
  const Result<CaptureReport> report = session->stop(builder);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->events, 1U);
  EXPECT_GT(report->dropped, 0U);
  EXPECT_FALSE(report->problem.empty());
  EXPECT_EQ(std::move(builder).build()->droppedEvents(), report->dropped);
}

TEST(OperatorSession, OnlyOneRecordsAtATime) {
  const auto first = makeOperatorSession();
  const auto second = makeOperatorSession();
  ASSERT_TRUE(first->start());
  const Status refused = second->start();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::EngineFailure);
  trace::TraceBuilder builder;
  EXPECT_FALSE(second->stop(builder));
  EXPECT_TRUE(first->stop(builder));
  EXPECT_TRUE(second->start());
  EXPECT_TRUE(second->stop(builder));
}

TEST(FakeSession, GivesItsEvents) {
  const auto session = makeFakeSession({{1, "aten::x", 110, 120}}, 3);
  CaptureConfig config;
  config.devices = {"a", "b"};
  config.originNs = 100;
  ASSERT_TRUE(session->configure(config));
  trace::TraceBuilder builder;
  EXPECT_FALSE(session->stop(builder));
  ASSERT_TRUE(session->start());
  const Result<CaptureReport> report = session->stop(builder);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->events, 1U);
  const trace::TracePtr trace = std::move(builder).build();
  EXPECT_EQ(namesOn(*trace, "b"), (std::vector<std::string>{"aten::x"}));
  EXPECT_EQ(trace->event(0).startNs, 10);
  EXPECT_EQ(trace->droppedEvents(), 3U);
}

}  // namespace
}  // namespace stagelane::capture
