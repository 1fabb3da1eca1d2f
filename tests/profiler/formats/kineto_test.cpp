// Traces as PyTorch's profiler writes them, and malicious files.

#include <gtest/gtest.h>
#include <zlib.h>

#include "engine/base/files.h"
#include "engine/base/json.h"
#include "profiler/formats/chrome.h"
#include "profiler/formats/json_stream.h"
#include "tests/profiler/formats/sample_trace.h"

namespace stagelane::formats {
namespace {

using test::TemporaryFolder;
using trace::Category;

const char* const kKineto = R"json({
  "schemaVersion": 1,
  "deviceProperties": [{"id": 0, "name": "H200 {\"]"}],
  "distributedInfo": {"backend": "nccl", "rank": 3, "world_size": 8},
  "traceEvents": [
  { "ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 55, "tid": 56,
    "ts": 1629487465372.123, "dur": 50.001, "args": {"External id": 7, "Ev Idx": 0} },
  { "ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 55, "tid": 56,
    "ts": 1629487465380, "dur": 3, "args": {"cbid": 211, "correlation": 9} },
  { "ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7,
    "ts": "1629487465400.500", "dur": "10.25", "args": {"device": 0, "stream": 7, "correlation": 9,
    "grid": [1, 2, 3], "est. achieved occupancy %": 20} },
  { "ph": "s", "id": 9, "pid": 55, "tid": 56, "ts": 1629487465380, "cat": "ac2g", "name": "ac2g" },
  { "ph": "f", "id": 9, "pid": 0, "tid": 7, "ts": 1629487465400.5, "cat": "ac2g", "name": "ac2g",
    "bp": "e" },
  { "ph": "X", "cat": "gpu_memset", "name": "Memset (Device)",
                  "pid" : 0, "tid" : 7, "ts" : 1629487465420, "dur" : 1, "args" : {
  "device" : 0, "stream" : 7, "correlation" : 10, "bytes" : 64
}
},
  { "ph": "X", "cat": "user_annotation", "name": "ProfilerStep#4", "pid": 55, "tid": 56,
    "ts": 1629487465370, "dur": 100 },
  { "ph": "X", "cat": "Trace", "name": "PyTorch Profiler (0)", "pid": "Spans",
    "tid": "PyTorch Profiler", "ts": 1629487465370, "dur": 200 },
  { "ph": "M", "name": "process_name", "pid": 55, "tid": 0, "ts": 0, "args": {"name": "python"} },
  { "ph": "M", "name": "thread_name", "pid": 0, "tid": 7, "ts": 0, "args": {"name": "stream 7 "} },
  { "ph": "M", "name": "process_sort_index", "pid": 0, "ts": 0, "args": {"sort_index": 5000000} },
  { "ph": "i", "name": "Record Window End", "pid": "", "tid": "", "ts": 1629487465600, "s": "g" }
  ],
  "traceName": "rank3.json", "displayTimeUnit": "ms", "baseTimeNanoseconds": 1700000000000000000
})json";

trace::EventView find(const trace::Trace& trace, std::string_view name) {
  for (std::size_t index = 0; index < trace.size(); ++index) {
    if (trace.event(index).name == name) return trace.event(index);
  }
  ADD_FAILURE() << "no event " << name;
  return {};
}

TEST(Kineto, TimesAreExactAndDevicesStreamsAndFlowsAreFound) {
  const Result<ReadTrace> read = parseChrome(kKineto, "kineto");
  ASSERT_TRUE(read) << describe(read.error());
  EXPECT_EQ(read->report.lost, 0U) << read->report.firstProblem;
  const trace::Trace& trace = *read->trace;
  EXPECT_EQ(find(trace, "aten::add").startNs, 1629487465372123);
  EXPECT_EQ(find(trace, "aten::add").durationNs, 50001);
  EXPECT_EQ(find(trace, "aten::add").category, Category::Operator);
  const trace::EventView kernel = find(trace, "gemm");
  EXPECT_EQ(kernel.startNs, 1629487465400500);
  EXPECT_EQ(kernel.durationNs, 10250);
  const trace::Track& track = trace.tracks()[kernel.track];
  EXPECT_EQ(track.name, "stream 7");
  EXPECT_EQ(track.kind, trace::TrackKind::Kernels);
  EXPECT_EQ(trace.devices()[static_cast<std::size_t>(track.device)], "cuda:0");
  EXPECT_EQ(find(trace, "Memset (Device)").categoryWord, "gpu_memset");
  EXPECT_EQ(find(trace, "cudaLaunchKernel").categoryWord, "cuda_runtime");
  ASSERT_EQ(trace.flows().size(), 1U);
  EXPECT_EQ(trace.event(trace.flows()[0].from).name, "cudaLaunchKernel");
  EXPECT_EQ(trace.event(trace.flows()[0].to).name, "gemm");
  ASSERT_EQ(trace.steps().size(), 1U);
  EXPECT_EQ(trace.steps()[0].step, 4);
  EXPECT_EQ(find(trace, "ProfilerStep#4").durationNs, 100000) << "the annotation stays an event";
  EXPECT_EQ(trace.metadata().at("base_time_ns"), "1700000000000000000");
  EXPECT_EQ(trace.metadata().at("rank"), "3");
}

TEST(Kineto, FlowsOfOtherProgramsJoinTheSlicesThatTheyTouch) {
  const Result<ReadTrace> read = parseChrome(R"([
    {"name":"outer","ph":"X","pid":1,"tid":1,"ts":0,"dur":100},
    {"name":"inner","ph":"X","pid":1,"tid":1,"ts":10,"dur":20},
    {"name":"next","ph":"X","pid":1,"tid":2,"ts":50,"dur":5},
    {"name":"last","ph":"X","pid":1,"tid":3,"ts":70,"dur":5},
    {"name":"a","cat":"x","ph":"s","id":"0x1","pid":1,"tid":1,"ts":15},
    {"name":"a","cat":"x","ph":"f","id":"0x1","pid":1,"tid":2,"ts":40},
    {"name":"b","cat":"y","ph":"s","id":"0x1","pid":1,"tid":1,"ts":35},
    {"name":"b","cat":"y","ph":"t","id":"0x1","pid":1,"tid":2,"ts":52},
    {"name":"b","cat":"y","ph":"f","bp":"e","id":"0x1","pid":1,"tid":3,"ts":72},
    {"name":"c","cat":"z","ph":"s","id":2,"pid":1,"tid":9,"ts":35}])",
                                             "test");
  ASSERT_TRUE(read) << describe(read.error());
  std::string arrows;
  for (const trace::Flow& flow : read->trace->flows()) {
    arrows += std::string(read->trace->event(flow.from).name) + ">" +
              std::string(read->trace->event(flow.to).name) + " ";
  }
  EXPECT_EQ(arrows, "outer>next inner>next next>last ");
  EXPECT_EQ(read->report.lost, 1U);
  EXPECT_NE(read->report.firstProblem.find("touches no slice"), std::string::npos);
}

TEST(Kineto, AsyncSlicesAreTracksOfTheirOwn) {
  const Result<ReadTrace> read = parseChrome(R"([
    {"name":"load","cat":"io","ph":"b","id":1,"pid":1,"tid":1,"ts":0},
    {"name":"load","cat":"io","ph":"b","id":2,"pid":1,"tid":1,"ts":5},
    {"name":"load","cat":"io","ph":"n","id":1,"pid":1,"tid":1,"ts":6},
    {"name":"load","cat":"io","ph":"e","id":1,"pid":1,"tid":1,"ts":10},
    {"name":"load","cat":"io","ph":"e","id":2,"pid":1,"tid":1,"ts":20}])",
                                             "test");
  ASSERT_TRUE(read);
  ASSERT_EQ(read->trace->size(), 3U);
  EXPECT_EQ(read->trace->event(0).durationNs, 10000);
  EXPECT_EQ(read->trace->event(2).durationNs, 15000);
}

/// The number of events that are lost from this text between two valid ones.
std::uint64_t lostBetween(const std::string& middle, std::string* problem = nullptr) {
  const std::string good = R"({"name":"g","ph":"X","pid":1,"tid":1,"ts":1,"dur":1})";
  const Result<ReadTrace> read =
      parseChrome("{\"traceEvents\":[" + good + "," + middle + "," + good + "]}", "test");
  if (!read) {
    ADD_FAILURE() << describe(read.error());
    return 0;
  }
  EXPECT_EQ(read->trace->size() + read->report.lost, 3U) << middle;
  EXPECT_EQ(read->trace->droppedEvents(), read->report.lost);
  if (problem != nullptr) *problem = read->report.firstProblem;
  return read->report.lost;
}

TEST(HostileJson, TimesThatAreNoneAreCountedWithTheirOffset) {
  for (const char* times :
       {R"("ts":1,"dur":-1)", R"("ts":1e300,"dur":1)", R"("ts":99999999999999999999,"dur":1)",
        R"("ts":1,"dur":1e30)", R"("ts":null)", R"("ts":"soon")", R"("ts":{},"dur":1)",
        R"("ts":true)", R"("dur":5)", R"("ts":2305843009213693,"dur":2305843009213693)",
        R"("ts":1.2.3)", R"("ts":--1)", R"("ts":NaN)", R"("ts":1,"dur":"x")"}) {
    std::string problem;
    EXPECT_EQ(lostBetween(std::string(R"({"name":"b","ph":"X","pid":1,"tid":1,)") + times + "}",
                          &problem),
              1U)
        << times;
    constexpr std::string_view kPlace = " at byte 69";
    ASSERT_GT(problem.size(), kPlace.size()) << times;
    EXPECT_EQ(problem.substr(problem.size() - kPlace.size()), kPlace) << times << ": " << problem;
  }
}

TEST(HostileJson, WhatIsWrongWithATimeIsSaid) {
  const auto problemOf = [](const std::string& members) {
    std::string problem;
    EXPECT_EQ(lostBetween(R"({"name":"b","pid":1,"tid":1,)" + members + "}", &problem), 1U);
    return problem.substr(0, problem.rfind(" at byte"));
  };
  EXPECT_EQ(problemOf(R"("ph":"X","ts":1,"dur":-5)"),
            "event with a time out of range or a negative duration");
  EXPECT_EQ(problemOf(R"("ph":"X","ts":9007199254740991)"),
            "event with a time out of range or a negative duration");
  EXPECT_EQ(problemOf(R"("ph":"X","dur":5)"), "event without a time");
  EXPECT_EQ(problemOf(R"("ph":"E","ts":5)"), "end of an event without a start");
  EXPECT_EQ(problemOf(R"("ph":"X" "ts":5)"), "malformed event");
}

TEST(HostileJson, TheLastOfDuplicatedKeysCounts) {
  const Result<ReadTrace> read = parseChrome(
      R"({"traceEvents":[{"ph":"X","name":"a","name":"b","ts":1,"ts":2,"dur":1,"pid":1,"tid":1}],
          "traceEvents":[{"ph":"X","name":"c","ts":9,"dur":1,"pid":1,"tid":1}]})",
      "test");
  ASSERT_TRUE(read);
  ASSERT_EQ(read->trace->size(), 2U);
  EXPECT_EQ(read->trace->event(0).name, "b");
  EXPECT_EQ(read->trace->event(0).startNs, 2000);
  EXPECT_EQ(read->trace->event(1).name, "c");
}

TEST(HostileJson, DeepNestingDoesNoHarm) {
  const std::string deep = std::string(100000, '[') + std::string(100000, ']');
  const std::string event = R"({"name":"d","ph":"X","pid":1,"tid":1,"ts":1,"args":{"x":)";
  EXPECT_EQ(lostBetween(event + deep + "}}"), 0U);
  EXPECT_EQ(lostBetween(deep), 1U);
  const std::string half(200000, '{');
  EXPECT_TRUE(
      parseChrome(R"([{"name":"g","ph":"X","pid":1,"tid":1,"ts":1,"dur":1},)" + half, "test"));
}

TEST(HostileJson, WrongTypesOfOtherMembersDoNoHarm) {
  EXPECT_EQ(lostBetween(R"({"name":7,"ph":"X","cat":"c","pid":[1],"tid":{"a":1},"ts":1,"dur":1})"),
            0U);
  EXPECT_EQ(lostBetween(R"({"name":"x","ph":5,"pid":1,"tid":1,"ts":1})"), 1U);
  EXPECT_EQ(lostBetween(R"({"name":"x","ph":"X","cat":[],"pid":1,"tid":1,"ts":1})"), 1U);
  EXPECT_EQ(lostBetween(R"({"name":"x","ph":"X","args":[1],"pid":1,"tid":1,"ts":1})"), 0U);
  EXPECT_EQ(lostBetween("17"), 1U);
  EXPECT_EQ(lostBetween("\"text\""), 1U);
  EXPECT_EQ(lostBetween("[{\"ph\":\"X\"}]"), 1U);
  EXPECT_EQ(lostBetween("{\"name\":\"\xff\xfe\",\"ph\":\"X\",\"ts\":1}"), 1U);
}

TEST(HostileJson, AnEventMayBeLongerThanTheWindow) {
  const std::string name(9'000'000, 'n');
  EXPECT_EQ(lostBetween(R"({"ph":"X","pid":1,"tid":1,"ts":1,"dur":1,"name":")" + name + "\"}"), 0U);
}

TEST(HostileJson, ASmallFileThatUnpacksToMuchIsReadInAStream) {
  const TemporaryFolder folder;
  gzFile packed = gzopen((folder / "bomb.json.gz").c_str(), "wb");
  gzputs(packed, R"([{"name":"g","ph":"X","pid":1,"tid":1,"ts":1,"dur":1})");
  const std::string blanks(1 << 20, ' ');
  for (int count = 0; count < 256; ++count) {
    gzwrite(packed, blanks.data(), static_cast<unsigned>(blanks.size()));
  }
  gzclose(packed);
  ASSERT_LT(std::filesystem::file_size(folder / "bomb.json.gz"), 1U << 20);
  const Result<ReadTrace> read = readTrace(folder / "bomb.json.gz");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->trace->size(), 1U);
}

TEST(SkipJsonValue, FindsTheEndWhereverItLies) {
  for (std::size_t padding = 0; padding < 200; ++padding) {
    for (const std::string inner :
         {R"("]")", R"("\"}")", R"("\\")", R"({"a":[1,{"b":"}"}]})", R"("\\\"]\\")", "[[[]]]"}) {
      const std::string value =
          "[\"" + std::string(padding, 'x') + "\"," + inner + "," + inner + "]";
      EXPECT_EQ(detail::skipJsonValue(value + " ]}", 0), value.size()) << value;
      for (std::size_t length = 0; length < value.size(); ++length) {
        ASSERT_EQ(detail::skipJsonValue(value.substr(0, length), 0), std::string::npos);
      }
    }
  }
}

TEST(ReadProgress, CountsBytesAndStopsWhenAsked) {
  const TemporaryFolder folder;
  ASSERT_TRUE(writeFileAtomically(folder / "t.json", kKineto));
  ReadProgress progress;
  ASSERT_TRUE(readTrace(folder / "t.json", &progress));
  EXPECT_EQ(progress.done, std::string_view(kKineto).size());
  EXPECT_EQ(progress.total, progress.done);
  progress.cancel = true;
  const Result<ReadTrace> canceled = readTrace(folder / "t.json", &progress);
  ASSERT_FALSE(canceled);
  EXPECT_EQ(canceled.error().message, "canceled");
}

}  // namespace
}  // namespace stagelane::formats
