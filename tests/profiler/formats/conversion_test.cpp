// Data without a column in a Trace that a conversion keeps: arguments, instants, absent categories,
// the members of the document; and that it adds nothing.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "engine/base/files.h"
#include "engine/base/json.h"
#include "profiler/formats/chrome.h"
#include "tests/profiler/formats/sample_trace.h"

namespace stagelane::formats {
namespace {

using test::TemporaryFolder;

const char* const kKineto = R"json({
  "schemaVersion": 1,
  "deviceProperties": [{"id": 0, "name": "H200 {\"]", "totalGlobalMem": 150110011392}],
  "distributedInfo": {"backend": "nccl", "rank": 3},
  "traceEvents": [
  { "ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 55, "tid": 56,
    "ts": 1629487465372.123, "dur": 50.001,
    "args": {"External id": 7, "Input Dims": [[1, 2], [ ]], "Concrete Inputs": ["", "1"], "x": null,
             "Sequence number": 18446744073709551615, "big": 123456789012345678901234567890} },
  { "ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 55, "tid": 56,
    "ts": 1629487465380, "dur": 3, "args": {"cbid": 211, "correlation": 9} },
  { "ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 1629487465400.5,
    "dur": 10.25, "args": {"device": 0, "stream": 7, "correlation": 9, "grid": [1, 2, 3],
                           "est. achieved occupancy %": 2.5, "a \"quoted\" key": true} },
  { "ph": "X", "cat": "gpu_memcpy", "name": "Memcpy PtoP", "pid": 0, "tid": 7,
    "ts": 1629487465420, "dur": 1, "args": {"device": 0, "stream": 7, "toDevice": 1, "bytes": 64} },
  { "ph": "X", "cat": "user_annotation", "name": "ProfilerStep#4", "pid": 55, "tid": 56,
    "ts": 1629487465370, "dur": 100, "args": {} },
  { "ph": "X", "cat": "user_annotation", "name": "stagelane F stage=1 micro_batch=2 device=cpu:0",
    "pid": 55, "tid": 58, "ts": 1629487465371, "dur": 20, "args": {"External id": 3} },
  { "ph": "X", "cat": "user_annotation", "name": "nothing said", "pid": 55, "tid": 58,
    "ts": 1629487465395, "dur": 2 },
  { "ph": "s", "id": 5, "pid": 55, "tid": 56, "ts": 1629487465372.123, "cat": "fwdbwd",
    "name": "fwdbwd" },
  { "ph": "f", "id": 5, "pid": 55, "tid": 58, "ts": 1629487465395, "cat": "fwdbwd",
    "name": "fwdbwd", "bp": "e" },
  { "ph": "X", "cat": "Trace", "name": "PyTorch Profiler (0)", "pid": "Spans",
    "tid": "PyTorch Profiler", "ts": 1629487465370, "dur": 200, "args": {"Op count": 0} },
  { "ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": 55, "tid": 56,
    "ts": 1629487465373.5, "args": {"Total Allocated": 4096, "Bytes": -64, "Addr": 140000} },
  { "ph": "i", "name": "Record Window End", "pid": "", "tid": "", "ts": 1629487465600, "s": "g" }
  ], "displayTimeUnit": "ms", "traceName": "rank3.json"
})json";

/// Every slice and instant with all of its data except where it is drawn.
std::vector<std::string> eventsOf(const Json& document) {
  std::vector<std::string> events;
  for (Json event : document.at("traceEvents")) {
    if (event["ph"] == "X" || event["ph"] == "i") {
      event.erase("pid");
      event.erase("tid");
      event.erase("flows_out");  // the number of an arrow, which the event itself also has
      event.erase("flows_in");
      for (const char* time : {"ts", "dur"}) {
        if (event.contains(time)) {
          event[time] = event[time].get<double>();  // 20 and 20.000 are equal
        }
      }
      events.push_back(nlohmann::json(event).dump());  // members in the order of their names
    }
  }
  std::sort(events.begin(), events.end());
  return events;
}

/// chrome → perfetto → chrome, as `convert` does it.
Json throughPerfetto(const std::string& text) {
  const TemporaryFolder folder;
  EXPECT_TRUE(writeFileAtomically(folder / "a.json", text));
  const Result<ReadTrace> first = readTraceWithDetails(folder / "a.json");
  EXPECT_TRUE(first && writePerfetto(*first->trace, folder / "b.pftrace", first->details.get()));
  const Result<ReadTrace> second = readTraceWithDetails(folder / "b.pftrace");
  EXPECT_TRUE(second && writeChrome(*second->trace, folder / "c.json", second->details.get()));
  const Result<ReadTrace> last = readTrace(folder / "c.json");
  if (!first || !second || !last) {
    ADD_FAILURE() << "not readable";
    return {{"traceEvents", Json::array()}};
  }
  EXPECT_EQ(test::difference(*first->trace, *second->trace), "");
  EXPECT_EQ(test::difference(*first->trace, *last->trace), "");
  EXPECT_EQ(first->details->leftOut() + second->details->leftOut(), 0U);
  return Json::parse(readFile(folder / "c.json").value_or("{}"));
}

TEST(Conversion, ChromePerfettoChromeKeepsEveryWordOfKinetosEvents) {
  const Json before = Json::parse(kKineto);
  const Json after = throughPerfetto(kKineto);
  EXPECT_EQ(eventsOf(after), eventsOf(before));
  for (const char* member : {"schemaVersion", "deviceProperties", "distributedInfo", "traceName"}) {
    EXPECT_EQ(after.value(member, Json()), before[member]) << member;
  }
}

TEST(Conversion, TaggedSlicesAreActionsInTheFilesOwnWords) {
  const Result<ReadTrace> read = parseChrome(kKineto, "kineto");
  ASSERT_TRUE(read);
  int tagged = 0;
  for (std::size_t index = 0; index < read->trace->size(); ++index) {
    const trace::EventView view = read->trace->event(index);
    if (view.category == trace::Category::Forward) {
      ++tagged;
      EXPECT_EQ(view.categoryWord, "user_annotation");
      EXPECT_EQ(view.stage.value, 1);
      EXPECT_EQ(view.microBatch.value, 2);
    }
  }
  EXPECT_EQ(tagged, 1);
  EXPECT_EQ(read->details, nullptr) << "only conversions ask for them";
}

TEST(Conversion, AnyEventsOfChromesFormComeBack) {
  static const char* const kCategories[] = {"cpu_op", "kernel", "gpu_memcpy", "F", "odd \"word\""};
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    const auto draw = [&random](unsigned below) { return static_cast<int>(random() % below); };
    Json events = Json::array();
    for (int count = 1 + draw(40); count > 0; --count) {
      Json event{{"name", "e" + std::to_string(draw(6))},
                 {"pid", draw(3)},
                 {"tid", draw(3)},
                 {"ts", draw(40) * 0.25 - 2}};
      const bool instant = draw(3) == 0;
      event["ph"] = instant ? "i" : "X";
      if (instant) {
        event["s"] = draw(2) == 0 ? "g" : "t";
      } else {
        event["dur"] = draw(12) * 0.25;
      }
      if (draw(4) != 0) event["cat"] = kCategories[draw(5)];
      if (draw(4) != 0) {
        event["args"] = Json::object();
        if (draw(2) == 0) event["args"]["correlation"] = draw(4);
        if (draw(2) == 0) {
          event["args"]["stage"] = draw(3);
          event["args"]["step"] = draw(3);
        }
        if (draw(2) == 0) {
          event["args"]["nested"] = {{"list", {1, "two", nullptr}}, {"real", draw(9) * 0.5}};
        }
      }
      events.push_back(std::move(event));
    }
    const Json document{{"traceEvents", std::move(events)}};
    ASSERT_EQ(eventsOf(throughPerfetto(document.dump())), eventsOf(document)) << "seed " << seed;
  }
}

TEST(Conversion, ABeginAndItsEndBothSayArguments) {
  const Json back = throughPerfetto(
      R"([{"name":"a","ph":"B","pid":1,"tid":1,"ts":1,"args":{"x":1,"z":"old"}},
          {"name":"b","ph":"B","pid":1,"tid":1,"ts":2},
          {"ph":"E","pid":1,"tid":1,"ts":3,"args":{"only":[1, 2]}},
          {"ph":"E","pid":1,"tid":1,"ts":4,"args":{"y":2,"z":"new"}}])");
  std::map<std::string, Json> arguments;
  for (const Json& event : back.at("traceEvents")) {
    if (event["ph"] == "X") arguments[event["name"]] = event["args"];
  }
  EXPECT_EQ(arguments["a"], (Json{{"x", 1}, {"y", 2}, {"z", "new"}}));
  EXPECT_EQ(arguments["b"], (Json{{"only", {1, 2}}}));
}

TEST(Conversion, EventsOfOtherKindsAreCountedByKind) {
  const Result<ReadTrace> read = parseChrome(
      R"([{"name":"a","ph":"X","pid":1,"tid":1,"ts":1,"dur":1},
          {"name":"o","ph":"N","id":1,"pid":1,"tid":1,"ts":1},
          {"name":"o","ph":"D","id":1,"pid":1,"tid":1,"ts":2},
          {"name":"p","ph":"N","id":2,"pid":1,"tid":1,"ts":3}])",
      "test", Keep::Details);
  ASSERT_TRUE(read) << describe(read.error());
  EXPECT_EQ(read->report.lost, 0U);
  EXPECT_EQ(read->details->otherKinds, (std::map<char, std::uint64_t>{{'D', 1}, {'N', 2}}));
}

TEST(Conversion, ArgumentsThatAreNoJsonAreLeftOutAndCounted) {
  const Result<ReadTrace> read = parseChrome(
      R"([{"name":"a","ph":"X","pid":1,"tid":1,"ts":1,"dur":1,"args":{"x":[1,,2]}},
          {"name":"b","ph":"X","pid":1,"tid":1,"ts":2,"dur":1,"args":{"x":[1,2]}}])",
      "test", Keep::Details);
  ASSERT_TRUE(read) << describe(read.error());
  const TemporaryFolder folder;
  ASSERT_TRUE(writeChrome(*read->trace, folder / "a.json", read->details.get()));
  const Json document = Json::parse(readFile(folder / "a.json").value_or(""), nullptr, false);
  EXPECT_FALSE(document.is_discarded());
  EXPECT_EQ(read->details->leftOut() + read->report.lost, 1U);
}

}  // namespace
}  // namespace stagelane::formats
