#include "profiler/formats/chrome.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <random>

#include "engine/base/files.h"
#include "engine/base/json.h"
#include "engine/trace/trace_builder.h"
#include "tests/profiler/formats/sample_trace.h"

namespace stagelane::formats {
namespace {

using test::difference;
using test::sampleTrace;
using test::TemporaryFolder;
using trace::Category;

std::string exported(const trace::Trace& trace) {
  const TemporaryFolder folder;
  EXPECT_TRUE(writeChrome(trace, folder / "t.json"));
  return readFile(folder / "t.json").value_or("");
}

TEST(Chrome, ReadsItsOwnExportBackEqual) {
  const trace::TracePtr trace = sampleTrace();
  const Result<ReadTrace> read = parseChrome(exported(*trace), "test");
  ASSERT_TRUE(read) << describe(read.error());
  EXPECT_EQ(read->report.lost, 0U) << read->report.firstProblem;
  EXPECT_EQ(difference(*trace, *read->trace), "");
}

TEST(Chrome, ExportIsValidJsonWithTheDocumentedArguments) {
  const Json document = Json::parse(exported(*sampleTrace()));
  bool found = false;
  for (const Json& event : document.at("traceEvents")) {
    if (event.value("name", "") == "SEND_F0") {
      found = true;
      EXPECT_EQ(event.at("ph"), "X");
      EXPECT_EQ(event.at("cat"), "SEND_F");
      EXPECT_DOUBLE_EQ(event.at("ts").get<double>(), 0.1);
      EXPECT_DOUBLE_EQ(event.at("dur").get<double>(), 0.09);
      EXPECT_EQ(event.at("args").at("device"), "cpu:0");
      EXPECT_EQ(event.at("args").at("peer"), "cuda:0/1of4");
      EXPECT_EQ(event.at("args").at("stage"), 0);
      EXPECT_EQ(event.at("args").at("micro_batch"), 0);
      EXPECT_EQ(event.at("args").at("action"), "SEND_F");
      EXPECT_EQ(event.at("args").at("repeat"), 0);
      EXPECT_EQ(event.at("args").at("step"), 0);
      EXPECT_EQ(event.at("args").at("variant"), "pipeline-20");
      EXPECT_EQ(event.at("args").at("bytes"), 4096);
    }
  }
  EXPECT_TRUE(found);
}

TEST(Chrome, KeepsEveryNanosecondOfLargeTimes) {
  trace::TraceBuilder builder;
  const std::uint16_t track =
      builder.track(builder.device("a"), trace::TrackKind::Compute, "compute");
  builder.add({1'700'000'000'123'456'789, 1, "x", Category::Other, track, {}, {}});
  const trace::TracePtr trace = std::move(builder).build();
  const Result<ReadTrace> read = parseChrome(exported(*trace), "test");
  ASSERT_TRUE(read);
  EXPECT_EQ(difference(*trace, *read->trace), "");
}

TEST(Chrome, TakesBothShapesBeginAndEndAndComplete) {
  const std::string events = R"([
    {"name":"process_name","ph":"M","pid":7,"args":{"name":"gpu0"}},
    {"name":"thread_name","ph":"M","pid":7,"tid":1,"args":{"name":"compute"}},
    {"name":"outer","cat":"F","ph":"B","pid":7,"tid":1,"ts":1,"args":{"stage":0,"micro_batch":2}},
    {"name":"inner","cat":"op","ph":"X","pid":7,"tid":1,"ts":1.5,"dur":0.25},
    {"ph":"E","pid":7,"tid":1,"ts":3},
    {"name":"i","ph":"i","pid":7,"tid":1,"ts":2},
    {"name":"memory","ph":"C","pid":7,"ts":2,"args":{"bytes":12}})";
  for (const std::string& text :
       {events + "]", events, R"({"a":{"b":[1,"]"]},"traceEvents":)" + events + "]}"}) {
    const Result<ReadTrace> read = parseChrome(text, "test");
    ASSERT_TRUE(read) << describe(read.error());
    EXPECT_EQ(read->report.lost, 0U) << read->report.firstProblem;
    const trace::Trace& trace = *read->trace;
    ASSERT_EQ(trace.size(), 3U);
    EXPECT_EQ(trace.devices(), (std::vector<std::string>{"gpu0"}));
    EXPECT_EQ(trace.event(0).name, "outer");
    EXPECT_EQ(trace.event(0).startNs, 1000);
    EXPECT_EQ(trace.event(0).durationNs, 2000);
    EXPECT_EQ(trace.event(0).category, Category::Forward);
    EXPECT_EQ(trace.event(0).microBatch, MicroBatchId{2});
    EXPECT_EQ(trace.event(1).durationNs, 250);
    ASSERT_EQ(trace.counters().size(), 1U);
    EXPECT_EQ(trace.counters()[0].values.front(), 12.0);
  }
}

TEST(Chrome, DeviceArgumentsAndStepsOfOtherProgramsCount) {
  const Result<ReadTrace> read = parseChrome(R"([
    {"name":"k","cat":"kernel","ph":"X","pid":0,"tid":7,"ts":10,"dur":5,"args":{"device":1}},
    {"name":"F","cat":"F","ph":"X","pid":9,"tid":1,"ts":0,"dur":5,
     "args":{"device":"npu:3","repeat":0,"step":4}},
    {"name":"OPT","cat":"OPT","ph":"X","pid":9,"tid":1,"ts":6,"dur":3,
     "args":{"device":"npu:3","repeat":0,"step":4}},
    {"name":"op","cat":"op","ph":"X","pid":9,"tid":2,"ts":6,"dur":30,
     "args":{"device":"npu:3","repeat":0,"step":4}}])",
                                             "test");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->trace->devices(), (std::vector<std::string>{"cuda:1", "npu:3"}));
  ASSERT_EQ(read->trace->steps().size(), 1U);
  EXPECT_EQ(read->trace->steps()[0].step, 4);
  EXPECT_EQ(read->trace->steps()[0].endNs, 9000);
}

TEST(Chrome, OneBrokenEventCostsItselfOnly) {
  const std::string text = R"({"traceEvents":[
    {"name":"a","ph":"X","pid":1,"tid":1,"ts":0,"dur":1},
    {"name":"b","ph":"X","pid":1,"tid":1,"ts":nonsense,"dur":1},
    17, {"ph":}, {"name":"no time","ph":"X"},
    {"name":"c","ph":"X","pid":1,"tid":1,"ts":5,"dur":1}]})";
  const Result<ReadTrace> read = parseChrome(text, "test");
  ASSERT_TRUE(read);
  EXPECT_GE(read->report.lost, 3U);
  EXPECT_NE(read->report.firstProblem.find("byte " + std::to_string(text.find("{\"name\":\"b\""))),
            std::string::npos)
      << read->report.firstProblem;
  EXPECT_EQ(read->trace->event(read->trace->size() - 1).name, "c");
}

TEST(Chrome, AFileCutAnywhereIsReadAsFarAsItGoes) {
  const trace::TracePtr trace = sampleTrace();
  const std::string text = exported(*trace);
  std::size_t most = 0;
  for (std::size_t length = 0; length <= text.size(); ++length) {
    const Result<ReadTrace> read = parseChrome(text.substr(0, length), "cut");
    if (read) {
      ASSERT_GE(read->trace->size(), most) << "at " << length;
      most = read->trace->size();
      ASSERT_TRUE(length + 4 > text.size() || read->report.lost > 0) << "at " << length;
    }
  }
  EXPECT_EQ(most, trace->size());
}

TEST(Chrome, MutatedBytesNeverCrash) {
  const std::string text = exported(*sampleTrace());
  std::mt19937 random(5);
  for (int round = 0; round < 3000; ++round) {
    std::string mutated = text;
    for (auto count = 1 + random() % 8; count > 0; --count) {
      const char* const kLikely = "{}[]\",:\\0";
      mutated[random() % mutated.size()] =
          random() % 2 == 0 ? kLikely[random() % 9] : static_cast<char>(random());
    }
    static_cast<void>(parseChrome(mutated, "mutated"));
  }
}

TEST(Chrome, WhatIsNoTraceIsAnError) {
  for (const char* text : {"", "{}", "hello", "{\"traceEvents\":17}", "{\"a\":\"", "[17]"}) {
    const Result<ReadTrace> read = parseChrome(text, "file.json");
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().code, ErrorCode::Invalid);
  }
}

TEST(ReadTrace, TellsTheFormatByTheContent) {
  const TemporaryFolder folder;
  const trace::TracePtr trace = sampleTrace();
  ASSERT_TRUE(writePerfetto(*trace, folder / "a"));
  ASSERT_TRUE(writeChrome(*trace, folder / "b"));
  gzFile packed = gzopen((folder / "c").c_str(), "wb");
  const std::string text = exported(*trace);
  gzwrite(packed, text.data(), static_cast<unsigned>(text.size()));
  gzclose(packed);
  for (const char* name : {"a", "b", "c"}) {
    const Result<ReadTrace> read = readTrace(folder / name);
    ASSERT_TRUE(read) << name << ": " << describe(read.error());
    EXPECT_EQ(difference(*trace, *read->trace), "") << name;
  }
}

TEST(ReadTrace, RefusesWhatItCannotRead) {
  const TemporaryFolder folder;
  ASSERT_TRUE(writeFileAtomically(folder / "nsys", "SQLite format 3"));
  ASSERT_TRUE(writeFileAtomically(folder / "gzip", "\x1f\x8b broken"));
  ASSERT_TRUE(writeFileAtomically(folder / "empty", ""));
  for (const char* name : {"nsys", "gzip", "empty", "absent"}) {
    const Result<ReadTrace> read = readTrace(folder / name);
    ASSERT_FALSE(read) << name;
    EXPECT_EQ(read.error().code, ErrorCode::Invalid) << name;
  }
}

TEST(ReadTrace, SaysWhatAFileIsThatIsNoTrace) {
  const TemporaryFolder folder;
  const std::pair<std::string, std::string> files[] = {
      {"", "The file is empty"},
      {" \n\n \n", "The file contains only white space"},
      {std::string(9000, '\n'), "The file starts with too much white space"},
      {"\xEF\xBB\xBF", "Not a recognized trace file"},
      {"  hello", "Not a recognized trace file"},
      {"\n{\"a\":1}", "No traceEvents array found"}};
  for (const auto& [text, message] : files) {
    ASSERT_TRUE(writeFileAtomically(folder / "t.json", text));
    const Result<ReadTrace> read = readTrace(folder / "t.json");
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().code, ErrorCode::Invalid);
    EXPECT_EQ(read.error().message.substr(0, message.size()), message);
    EXPECT_NE(read.error().context.find("byte "), std::string::npos) << read.error().context;
  }
}

TEST(ReadTrace, SkipsAByteOrderMark) {
  const TemporaryFolder folder;
  const std::string events = R"([{"ph":"X","ts":1,"dur":1,"name":"a","pid":1,"tid":1}])";
  for (const std::string& text : {events, "{\"traceEvents\":" + events + "}", "\n " + events}) {
    ASSERT_TRUE(writeFileAtomically(folder / "t.json", "\xEF\xBB\xBF" + text));
    const Result<ReadTrace> read = readTrace(folder / "t.json");
    ASSERT_TRUE(read) << describe(read.error());
    EXPECT_EQ(read->trace->size(), 1U);
    EXPECT_EQ(read->report.lost, 0U);
  }
}

TEST(ReadTrace, RefusesWhatItDoesNotKnowBeforeItIsUnpacked) {
  const TemporaryFolder folder;
  for (const char filling : {' ', '\n', '\0', 'a'}) {
    gzFile packed = gzopen((folder / "bomb.gz").c_str(), "wb1");
    const std::string piece(1 << 20, filling);
    for (int count = 0; count < 64; ++count) {
      gzwrite(packed, piece.data(), static_cast<unsigned>(piece.size()));
    }
    gzclose(packed);
    ReadProgress progress;
    ASSERT_FALSE(readTrace(folder / "bomb.gz", &progress));
    EXPECT_EQ(progress.done, 0U) << "no more than the beginning was read of '" << filling << "'";
  }
}

TEST(Chrome, APhaseIsOneLetter) {
  const Result<ReadTrace> read = parseChrome(
      R"([{"ph":"X","name":"a","ts":1,"dur":1},{"ph":"Xtra","name":"b","ts":1,"dur":1}])", "test");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->trace->size(), 1U);
  EXPECT_EQ(read->report.lost, 1U);
}

}  // namespace
}  // namespace stagelane::formats
