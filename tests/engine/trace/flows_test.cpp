#include <gtest/gtest.h>

#include "engine/trace/trace_builder.h"

namespace stagelane::trace {
namespace {

/// A builder with one device and a track for each kind that flows are about.
struct Bench {
  TraceBuilder builder;
  std::uint16_t copy = 0, host = 0, kernels = 0;
  Bench() {
    const std::int32_t device = builder.device("cuda:0");
    copy = builder.track(device, TrackKind::Copy, "copy");
    host = builder.track(device, TrackKind::Operators, "ops");
    kernels = builder.track(device, TrackKind::Kernels, "stream 7");
  }
  std::uint32_t add(TimeNs startNs, const char* name, Category category, std::uint16_t track,
                    std::uint32_t correlation = 0) {
    return builder.add({startNs, 5, name, category, track, {}, {}, correlation});
  }
};

std::string arrows(const Trace& trace) {
  std::string text;
  for (const Flow& flow : trace.flows()) {
    text += std::string(trace.event(flow.from).name) + ">" +
            std::string(trace.event(flow.to).name) + " ";
  }
  return text;
}

TEST(Flows, EqualCorrelationsJoinSendsToReceivesAndLaunchesToKernels) {
  Bench bench;
  bench.add(50, "recv", Category::RecvForward, bench.copy, 3);
  bench.add(10, "send", Category::SendForward, bench.copy, 3);
  bench.add(11, "other way", Category::SendBackward, bench.copy, 3);
  bench.add(60, "kernel", Category::Kernel, bench.kernels, 3);
  bench.add(70, "copy", Category::Copy, bench.kernels, 4);
  bench.add(20, "last call", Category::Other, bench.host, 3);
  bench.add(15, "first call", Category::Operator, bench.host, 3);
  bench.add(99, "alone", Category::Kernel, bench.kernels, 8);
  bench.add(98, "zero", Category::Other, bench.host, 0);
  const TracePtr trace = std::move(bench.builder).build();
  EXPECT_EQ(arrows(*trace), "send>recv last call>kernel ");
  EXPECT_TRUE(isConsistent(trace->data()));
}

TEST(Flows, ACorrelationThatComesAgainJoinsTheNearest) {
  Bench bench;
  for (const TimeNs startNs : {0, 1000}) {
    bench.add(startNs, "send", Category::SendForward, bench.copy, 7);
    bench.add(startNs + 10, "recv", Category::RecvForward, bench.copy, 7);
  }
  const TracePtr trace = std::move(bench.builder).build();
  ASSERT_EQ(trace->flows().size(), 2U);
  for (const Flow& flow : trace->flows()) {
    EXPECT_EQ(trace->event(flow.to).startNs - trace->event(flow.from).startNs, 10);
  }
}

TEST(Flows, GivenFlowsFollowTheirEventsThroughSortingAndAreKeptOnce) {
  Bench bench;
  const std::uint32_t late = bench.add(90, "late", Category::Other, bench.host);
  const std::uint32_t early = bench.add(1, "early", Category::Other, bench.host);
  const std::uint32_t middle = bench.add(40, "middle", Category::Kernel, bench.kernels);
  bench.builder.addFlow(early, late);
  bench.builder.addFlow(early, late);
  bench.builder.addFlow(late, middle);
  bench.builder.addFlow(late, late);
  bench.builder.addFlow(late, 17);
  bench.builder.addFlow(TraceBuilder::kNoEvent, late);
  const TracePtr trace = std::move(bench.builder).build();
  EXPECT_EQ(arrows(*trace), "early>late late>middle ");
  ASSERT_EQ(trace->flowsFrom(0).size(), 1U);
  EXPECT_EQ(trace->event(trace->flowsFrom(0)[0].to).name, "late");
  ASSERT_EQ(trace->flowsInto(2).size(), 1U);
  EXPECT_EQ(trace->event(trace->flows()[trace->flowsInto(2)[0]].from).name, "late");
  EXPECT_TRUE(trace->flowsInto(0).empty());
  EXPECT_TRUE(trace->flowsFrom(2).empty());
}

TEST(CategoryWords, TheFilesOwnWordIsKeptBesideTheCategory) {
  Bench bench;
  TraceBuilder::NewEvent event{0, 1, "call", Category::Other, bench.host, {}, {}};
  event.categoryWord = "cuda_runtime";
  bench.builder.add(event);
  bench.add(2, "plain", Category::Kernel, bench.kernels);
  for (int word = 0; word < 300; ++word) {
    const std::string text = "w" + std::to_string(word);
    event.categoryWord = text;
    event.startNs = 10 + word;
    bench.builder.add(event);
  }
  const TracePtr trace = std::move(bench.builder).build();
  EXPECT_EQ(trace->event(0).categoryWord, "cuda_runtime");
  EXPECT_EQ(trace->event(1).categoryWord, "w0");
  EXPECT_EQ(trace->event(300).categoryWord, "other") << "only 256 words are kept";
  EXPECT_EQ(trace->event(301).categoryWord, "kernel");
}

TEST(Consistency, EveryColumnThatPointsOutOfItsTableIsNoticed) {
  Bench bench;
  bench.add(1, "a", Category::Other, bench.host, 3);
  bench.add(2, "k", Category::Kernel, bench.kernels, 3);
  bench.builder.addCounter(bench.builder.track(0, TrackKind::Counter, "m"), 5, 1.0, "B");
  bench.builder.addStep({0, 0, 0, 9});
  const TracePtr trace = std::move(bench.builder).build();
  const auto broken = [&trace](auto change) {
    TraceData data = trace->data();
    change(data);
    return !isConsistent(data);
  };
  EXPECT_FALSE(broken([](TraceData&) {}));
  EXPECT_TRUE(broken([](TraceData& data) { data.name[0] = 2; }));
  EXPECT_TRUE(broken([](TraceData& data) { data.categoryWord[1] = 16; }));
  EXPECT_TRUE(broken([](TraceData& data) { data.category[1] = static_cast<Category>(99); }));
  EXPECT_TRUE(broken([](TraceData& data) { data.track[1] = 2; }));
  EXPECT_TRUE(broken([](TraceData& data) { data.startNs[1] = kLargestTimeNs; }));
  EXPECT_TRUE(broken([](TraceData& data) { data.durationNs[1] = -1; }));
  EXPECT_TRUE(broken([](TraceData& data) { data.stage.clear(); }));
  EXPECT_TRUE(broken([](TraceData& data) { data.trackBegin.back() = 7; }));
  EXPECT_TRUE(broken([](TraceData& data) { data.tracks[1].parent = 1; }));
  EXPECT_TRUE(broken([](TraceData& data) { data.tracks[1].device = 1; }));
  EXPECT_TRUE(broken([](TraceData& data) { data.flows[0].to = 2; }));
  EXPECT_TRUE(broken([](TraceData& data) { data.flowsByTarget[0] = 1; }));
  EXPECT_TRUE(broken([](TraceData& data) { data.counters[0].track = 99; }));
  EXPECT_TRUE(broken([](TraceData& data) { data.counters[0].values.clear(); }));
  EXPECT_TRUE(broken([](TraceData& data) { data.steps[0].endNs = -1; }));
  EXPECT_TRUE(broken([](TraceData& data) { data.transfers.push_back({2, -1, 8}); }));
}

}  // namespace
}  // namespace stagelane::trace
