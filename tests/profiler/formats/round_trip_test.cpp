// chrome → perfetto → chrome keeps the multiset of events with all data that a trace has of them.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <sstream>

#include "engine/base/files.h"
#include "engine/base/json.h"
#include "engine/trace/trace_builder.h"
#include "profiler/formats/chrome.h"
#include "tests/profiler/formats/sample_trace.h"

namespace stagelane::formats {
namespace {

using test::difference;
using test::TemporaryFolder;

/// A Chrome trace as another program might write it: overlaps, zero lengths, equal times, several
/// devices, instants, counters, flows, unsorted begins and ends.
class ForeignTrace {
 public:
  explicit ForeignTrace(unsigned seed) : m_random(seed) {}

  std::string text() {
    Json events = Json::array();
    for (int count = draw(40); count > 0; --count) addEvent(events);
    std::shuffle(events.begin(), events.end(), m_random);
    return Json{{"schemaVersion", 1}, {"traceEvents", std::move(events)}}.dump();
  }

 private:
  int draw(int below) { return static_cast<int>(m_random() % static_cast<unsigned>(below)); }

  Json at(const char* phase) {
    // Quarters of a microsecond have an exact double.
    return Json{{"ph", phase},
                {"pid", draw(3)},
                {"tid", draw(3)},
                {"name", "e" + std::to_string(draw(6))},
                {"ts", draw(40) * 0.25 - 2}};
  }

  void addEvent(Json& events) {
    static const char* const kCategories[] = {"cpu_op", "kernel",          "gpu_memcpy",   "F",
                                              "B",      "user_annotation", "odd \"word\"", ""};
    switch (draw(8)) {
      case 0: {
        Json event = at("C");
        event["args"] = {{"bytes", draw(9)}, {"other", draw(3) * 0.5}};
        events.push_back(event);
        break;
      }
      case 1: {
        Json event = at("i");
        event["cat"] = "cpu_instant_event";
        events.push_back(event);
        break;
      }
      case 2: {
        Json from = at("s");
        Json to = at("f");
        from["id"] = to["id"] = draw(4);
        from["cat"] = to["cat"] = "fwdbwd";
        to["bp"] = "e";
        events.push_back(from);
        events.push_back(to);
        break;
      }
      default: {
        Json event = at("X");
        event["dur"] = draw(12) * 0.25;
        event["cat"] = kCategories[draw(8)];
        Json args = Json::object();
        if (draw(2) == 0) args["correlation"] = 1 + draw(4);
        if (draw(2) == 0) args["device"] = draw(2);
        if (draw(3) == 0) {
          args["bytes"] = 1 + draw(5);
          args["peer"] = "cuda:9";
        }
        if (draw(3) == 0) {
          args["stage"] = draw(3);
          args["micro_batch"] = draw(3);
        }
        event["args"] = args;
        events.push_back(event);
      }
    }
  }

  std::mt19937 m_random;
};

/// Every event with all of its data except its place in the trace.
std::vector<std::string> multiset(const trace::Trace& trace) {
  std::vector<std::string> lines;
  for (std::size_t index = 0; index < trace.size(); ++index) {
    const trace::EventView view = trace.event(index);
    const trace::Track& track = trace.tracks()[view.track];
    std::ostringstream line;
    line << view.name << '|' << view.categoryWord << '|' << word(view.category) << '|'
         << view.startNs << '+' << view.durationNs << '|' << track.name << '|'
         << (track.device < 0 ? "" : trace.devices()[static_cast<std::size_t>(track.device)]) << '|'
         << view.stage.value << '|' << view.microBatch.value << '|' << view.correlation;
    if (const trace::Transfer* const transfer = trace.transferOf(index)) {
      line << '|' << transfer->bytes << '|' << transfer->peer;
    }
    for (const trace::Flow& flow : trace.flowsFrom(index)) {
      line << '>' << trace.event(flow.to).name << trace.event(flow.to).startNs;
    }
    lines.push_back(line.str());
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

ReadTrace readBack(const Result<ReadTrace>& read) {
  EXPECT_TRUE(read) << describe(read.error());
  return read ? *read : ReadTrace{trace::TraceBuilder().build(), {}};
}

TEST(RoundTrip, ChromePerfettoChromeKeepsTheEvents) {
  const TemporaryFolder folder;
  for (unsigned seed = 0; seed < 150; ++seed) {
    const Result<ReadTrace> first = parseChrome(ForeignTrace(seed).text(), "foreign");
    if (!first) {
      continue;  // only flows that do not touch an event
    }
    ASSERT_TRUE(writePerfetto(*first->trace, folder / "t.pftrace"));
    const ReadTrace perfetto = readBack(readTrace(folder / "t.pftrace"));
    ASSERT_TRUE(writeChrome(*perfetto.trace, folder / "t.json"));
    const ReadTrace chrome = readBack(readTrace(folder / "t.json"));
    ASSERT_EQ(multiset(*chrome.trace), multiset(*first->trace)) << "seed " << seed;
    ASSERT_EQ(difference(*first->trace, *chrome.trace), "") << "seed " << seed;
    ASSERT_EQ(perfetto.report.lost + chrome.report.lost, 0U);
  }
}

TEST(RoundTrip, PackedFilesHoldTheSame) {
  const TemporaryFolder folder;
  const trace::TracePtr trace = test::sampleTrace();
  for (const char* name : {"a.json.gz", "a.json.zst", "a.json"}) {
    ASSERT_TRUE(writeChrome(*trace, folder / name));
    EXPECT_EQ(difference(*trace, *readBack(readTrace(folder / name)).trace), "") << name;
  }
  for (const char* name : {"a.pftrace.gz", "a.pftrace.zst"}) {
    ASSERT_TRUE(writePerfetto(*trace, folder / name));
    EXPECT_EQ(difference(*trace, *readBack(readTrace(folder / name)).trace), "") << name;
  }
  const auto first = [&folder](const char* name) {
    return readFile(folder / name).value_or("  ").substr(0, 2);
  };
  EXPECT_EQ(first("a.json.gz"), "\x1f\x8b");
  EXPECT_EQ(first("a.json.zst"), "\x28\xb5");
  ASSERT_TRUE(writeCsv(*trace, folder / "a.csv.gz"));
  EXPECT_EQ(readUnpacked(folder / "a.csv.gz").value_or(""), toCsv(*trace));
}

TEST(RoundTrip, SeveralMembersAndFramesAreOneFile) {
  const TemporaryFolder folder;
  const trace::TracePtr trace = test::sampleTrace();
  for (const std::string ending : {".gz", ".zst"}) {
    ASSERT_TRUE(writePerfetto(*trace, folder / ("one" + ending)));
    const std::string packed = readFile(folder / ("one" + ending)).value_or("");
    ASSERT_TRUE(writeFileAtomically(folder / ("two" + ending), packed + packed));
    const Result<std::string> once = readUnpacked(folder / ("one" + ending));
    const Result<std::string> twice = readUnpacked(folder / ("two" + ending));
    ASSERT_TRUE(once && twice);
    EXPECT_EQ(*twice, *once + *once);
  }
}

TEST(RoundTrip, WhatFollowsTheLastMemberIsPaddingOrCounted) {
  const TemporaryFolder folder;
  ASSERT_TRUE(writeChrome(*test::sampleTrace(), folder / "a.json.gz"));
  const std::string packed = readFile(folder / "a.json.gz").value_or("");
  ASSERT_TRUE(writeFileAtomically(folder / "padded", packed + std::string(100, '\0')));
  ASSERT_TRUE(writeFileAtomically(folder / "followed", packed + "garbage"));
  const ReadTrace padded = readBack(readTrace(folder / "padded"));
  const ReadTrace followed = readBack(readTrace(folder / "followed"));
  EXPECT_EQ(padded.report.lost, 0U);
  EXPECT_EQ(followed.report.lost, 1U);
  EXPECT_EQ(followed.trace->size(), padded.trace->size());
  EXPECT_NE(followed.report.firstProblem.find("at packed byte " + std::to_string(packed.size())),
            std::string::npos)
      << followed.report.firstProblem;
}

TEST(RoundTrip, APackedFileCutShortGivesItsBeginning) {
  const TemporaryFolder folder;
  trace::TraceBuilder builder;
  const std::uint16_t track =
      builder.track(builder.device("a"), trace::TrackKind::Compute, "compute");
  std::mt19937 random(1);
  for (TimeNs number = 0; number < 20000; ++number) {
    const std::string name = std::to_string(random());
    builder.add({number * 10, 5, name, trace::Category::Other, track, {}, {}});
  }
  const trace::TracePtr trace = std::move(builder).build();
  for (const std::string whole :
       {"whole.json.gz", "whole.json.zst", "whole.pftrace.gz", "whole.pftrace.zst"}) {
    ASSERT_TRUE(whole.find("json") != std::string::npos ? writeChrome(*trace, folder / whole)
                                                        : writePerfetto(*trace, folder / whole));
    const std::string packed = readFile(folder / whole).value_or("");
    ASSERT_TRUE(writeFileAtomically(folder / "cut", packed.substr(0, packed.size() * 3 / 4)));
    const Result<ReadTrace> read = readTrace(folder / "cut");
    ASSERT_TRUE(read) << describe(read.error());
    EXPECT_GT(read->trace->size(), 5000U);
    EXPECT_LT(read->trace->size(), 20000U);
    EXPECT_GE(read->report.lost, 1U);
    EXPECT_NE(read->report.firstProblem.find("truncated, at packed byte"), std::string::npos)
        << read->report.firstProblem;
  }
}

}  // namespace
}  // namespace stagelane::formats
