// Arguments of other programs' events: numbers as texts, correlations of any size.

#include <gtest/gtest.h>

#include <protozero/pbf_writer.hpp>

#include "engine/trace/trace_builder.h"
#include "profiler/formats/chrome.h"
#include "tests/profiler/formats/sample_trace.h"

namespace stagelane::formats {
namespace {

using protozero::pbf_writer;

trace::TracePtr chrome(const std::string& events) {
  const Result<ReadTrace> read = parseChrome("[" + events + "]", "test");
  EXPECT_TRUE(read) << describe(read.error());
  return read ? read->trace : trace::TraceBuilder().build();
}

/// An event of 1 ns at `ts` with these arguments.
std::string event(int ts, const std::string& arguments) {
  return R"({"ph":"X","cat":"F","name":"e","pid":1,"tid":1,"dur":0.001,"ts":)" +
         std::to_string(ts) + R"(,"args":{)" + arguments + "}}";
}

TEST(ArgumentValues, ATextThatIsAWholeNumberIsThatNumber) {
  const trace::TracePtr trace = chrome(
      event(0, R"("stage":"1","micro_batch":"02","correlation":"7","bytes":"64","device":"0")") +
      "," + event(1, R"("step":"3","repeat":"2","device":"0")"));
  ASSERT_EQ(trace->size(), 2U);
  EXPECT_EQ(trace->event(0).stage.value, 1);
  EXPECT_EQ(trace->event(0).microBatch.value, 2);
  EXPECT_EQ(trace->event(0).correlation, 7U);
  ASSERT_NE(trace->transferOf(0), nullptr);
  EXPECT_EQ(trace->transferOf(0)->bytes, 64);
  EXPECT_EQ(trace->devices(), (std::vector<std::string>{"cuda:0"}));
  ASSERT_EQ(trace->steps().size(), 1U);
  EXPECT_EQ(trace->steps()[0].repeat, 2);
  EXPECT_EQ(trace->steps()[0].step, 3);
}

TEST(ArgumentValues, WhatIsNoWholeNumberIsUnknown) {
  for (const char* value : {R"("x")", R"("1x")", R"("")", R"(" 1")", "1.5", "true", "null", "[1]",
                            "99999999999999999999"}) {
    std::string arguments;
    for (const char* key : {"stage", "micro_batch", "step", "repeat", "correlation", "bytes"}) {
      arguments += (arguments.empty() ? "\"" : ",\"") + std::string(key) + "\":" + value;
    }
    const trace::TracePtr trace = chrome(event(0, arguments));
    ASSERT_EQ(trace->size(), 1U);
    EXPECT_FALSE(trace->event(0).stage.valid()) << value;
    EXPECT_FALSE(trace->event(0).microBatch.valid()) << value;
    EXPECT_EQ(trace->event(0).correlation, 0U) << value;
    EXPECT_EQ(trace->transferOf(0), nullptr) << value;
    EXPECT_TRUE(trace->steps().empty()) << value;
  }
}

/// A Perfetto file of one slice with one debug annotation.
trace::TracePtr annotated(const std::string& name, const std::string& text, double real) {
  std::string bytes;
  for (const int type : {1, 2}) {
    pbf_writer file(bytes);
    pbf_writer packet(file, 1);
    packet.add_uint64(8, static_cast<std::uint64_t>(type));
    pbf_writer event(packet, 11);
    event.add_int32(9, type);
    event.add_uint64(11, 5);
    if (type == 1) {
      pbf_writer annotation(event, 4);
      annotation.add_string(10, name);
      if (text.empty()) {
        annotation.add_double(5, real);
      } else {
        annotation.add_string(6, text);
      }
    }
  }
  const Result<ReadTrace> read = parsePerfetto(bytes, "test");
  EXPECT_TRUE(read) << describe(read.error());
  return read ? read->trace : trace::TraceBuilder().build();
}

TEST(ArgumentValues, OfPerfettoAreReadTheSameWay) {
  EXPECT_EQ(annotated("stage", "4", 0)->event(0).stage.value, 4);
  EXPECT_EQ(annotated("step", "4", 0)->steps().size(), 1U);
  EXPECT_FALSE(annotated("stage", "four", 0)->event(0).stage.valid());
  EXPECT_FALSE(annotated("stage", "", 1.0)->event(0).stage.valid());
  EXPECT_TRUE(annotated("step", "four", 0)->steps().empty());
  EXPECT_EQ(annotated("correlation", "-1", 0)->event(0).correlation, 0U);
}

/// A launch and a kernel with these correlations, as text of JSON.
std::string launched(int ts, const std::string& launch, const std::string& kernel) {
  const auto one = [&](const char* word, int at, const std::string& correlation) {
    return std::string(R"({"ph":"X","name":"l","pid":1,"tid":)") + std::to_string(ts + at) +
           R"(,"dur":1,"ts":)" + std::to_string(ts + at) + R"(,"cat":")" + word +
           R"(","args":{"correlation":)" + correlation + "}}";
  };
  return one("cuda_runtime", 0, launch) + "," + one("kernel", 5, kernel);
}

TEST(ArgumentValues, CorrelationsBeyond32BitsAreKeptApart) {
  const std::string wide = "4294967297";
  EXPECT_EQ(chrome(launched(0, wide, "1"))->flows().size(), 0U);
  EXPECT_EQ(chrome(launched(0, "1", wide))->flows().size(), 0U);
  EXPECT_EQ(chrome(launched(0, wide, "8589934593"))->flows().size(), 0U);
  EXPECT_EQ(chrome(launched(0, wide, wide))->flows().size(), 1U);
  // Wide numbers get numbers that no other event has.
  EXPECT_EQ(chrome(launched(0, wide, "4294967295"))->flows().size(), 0U);
}

TEST(ArgumentValues, NegativeCorrelationsJoinNothing) {
  EXPECT_EQ(chrome(launched(0, "-1", "-1"))->flows().size(), 0U);
  EXPECT_EQ(chrome(launched(0, "\"-1\"", "4294967295"))->flows().size(), 0U);
}

}  // namespace
}  // namespace stagelane::formats
