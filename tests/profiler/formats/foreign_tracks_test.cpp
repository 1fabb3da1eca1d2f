// Devices, tracks and counters that are made of other programs' processes, threads and series.

#include <gtest/gtest.h>

#include <protozero/pbf_writer.hpp>

#include "engine/trace/trace_builder.h"
#include "profiler/formats/chrome.h"
#include "tests/profiler/formats/sample_trace.h"

namespace stagelane::formats {
namespace {

using protozero::pbf_writer;
using test::difference;
using test::TemporaryFolder;

using Names = std::vector<std::string>;

ReadTrace chrome(const std::string& text) {
  const Result<ReadTrace> read = parseChrome(text, "test");
  EXPECT_TRUE(read) << describe(read.error());
  return read ? *read : ReadTrace{trace::TraceBuilder().build(), {}};
}

/// The trace after another conversion to Perfetto and then to Chrome's format.
void expectRoundTrip(const trace::Trace& trace) {
  const TemporaryFolder folder;
  ASSERT_TRUE(writePerfetto(trace, folder / "t.pftrace"));
  const Result<ReadTrace> perfetto = readTrace(folder / "t.pftrace");
  ASSERT_TRUE(perfetto) << describe(perfetto.error());
  EXPECT_EQ(difference(trace, *perfetto->trace), "");
  ASSERT_TRUE(writeChrome(*perfetto->trace, folder / "t.json"));
  const Result<ReadTrace> again = readTrace(folder / "t.json");
  ASSERT_TRUE(again) << describe(again.error());
  EXPECT_EQ(difference(trace, *again->trace), "");
}

TEST(ForeignTracks, ProcessesOfOneNameAreSeveralDevices) {
  const ReadTrace read = chrome(R"([
    {"ph":"M","name":"process_name","pid":100,"args":{"name":"python"}},
    {"ph":"M","name":"process_name","pid":42,"args":{"name":"python"}},
    {"ph":"X","cat":"F","name":"a","pid":100,"tid":1,"ts":0,"dur":1},
    {"ph":"X","cat":"F","name":"b","pid":42,"tid":1,"ts":0,"dur":1},
    {"ph":"X","cat":"F","name":"c","pid":100,"tid":2,"ts":1,"dur":1}])");
  EXPECT_EQ(read.trace->devices(), (Names{"python", "python (pid 42)"}));
  EXPECT_EQ(read.trace->tracks().size(), 5U);
  expectRoundTrip(*read.trace);
}

/// Kineto also names the processes of the GPUs after the program.
TEST(ForeignTracks, AProcessWithoutRowsOfItsOwnTakesNoName) {
  const ReadTrace read = chrome(R"([
    {"ph":"M","name":"process_name","pid":0,"args":{"name":"python"}},
    {"ph":"M","name":"process_name","pid":42,"args":{"name":"python"}},
    {"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":0,"dur":1,"args":{"device":0}},
    {"ph":"X","cat":"cpu_op","name":"b","pid":42,"tid":1,"ts":0,"dur":1}])");
  EXPECT_EQ(read.trace->devices(), (Names{"cuda:0", "python"}));
}

TEST(ForeignTracks, ProcessesOfPerfettoAreToldByTheirNumbersToo) {
  std::string bytes;
  const auto packet = [&bytes](auto fill) {
    pbf_writer file(bytes);
    pbf_writer one(file, 1);
    one.add_uint64(8, 5);
    fill(one);
  };
  // The first process is described twice.
  for (const auto& [uuid, pid] : {std::pair{1, 100}, {2, 200}, {3, 100}}) {
    packet([uuid = uuid, pid = pid](pbf_writer& out) {
      pbf_writer descriptor(out, 60);
      descriptor.add_uint64(1, static_cast<std::uint64_t>(uuid));
      pbf_writer process(descriptor, 3);
      process.add_int32(1, pid);
      process.add_string(6, "python");
    });
    packet([uuid = uuid](pbf_writer& out) {
      pbf_writer event(out, 11);
      event.add_int32(9, 3);
      event.add_uint64(11, static_cast<std::uint64_t>(uuid));
    });
  }
  const Result<ReadTrace> read = parsePerfetto(bytes, "test");
  ASSERT_TRUE(read) << describe(read.error());
  EXPECT_EQ(read->trace->devices(), (Names{"python", "python (pid 200)"}));
  EXPECT_EQ(read->trace->size(), 3U);
  expectRoundTrip(*read->trace);
}

/// The curves of a trace: device, name, and its values.
Names curves(const trace::Trace& trace) {
  Names lines;
  for (const trace::CounterSeries& series : trace.counters()) {
    const trace::Track& track = trace.tracks()[series.track];
    std::string line = track.name + ":";
    for (const double value : series.values) line += " " + std::to_string(static_cast<int>(value));
    lines.push_back(line);
  }
  return lines;
}

TEST(ForeignTracks, EachSeriesOfACounterIsACounter) {
  const ReadTrace read = chrome(R"([
    {"ph":"C","name":"mem","pid":1,"ts":0,"args":{"allocated":100,"reserved":300}},
    {"ph":"C","name":"mem","pid":1,"ts":5,"args":{"allocated":150,"reserved":"400"}},
    {"ph":"C","name":"mem","id":7,"pid":1,"ts":5,"args":{"allocated":1}},
    {"ph":"C","name":"mem","id":"8","pid":1,"ts":5,"args":{"allocated":2,"none":"inf"}},
    {"args":{"value":3},"ph":"C","name":"load","pid":1,"ts":1},
    {"ph":"C","name":"mem allocated","pid":1,"ts":1,"args":{"value":4}},
    {"ph":"C","name":"odd","pid":1,"ts":1,"args":{"a\"b":5}}])");
  EXPECT_EQ(curves(*read.trace),
            (Names{"mem allocated: 100 150", "mem reserved: 300 400", "mem id: 7 allocated: 1",
                   "mem id: 8 allocated: 2", "load: 3", "mem allocated (2): 4", "odd a\"b: 5"}));
  expectRoundTrip(*read.trace);
}

TEST(ForeignTracks, CountersOfStagelaneKeepTheirUnitAndTheirPlace) {
  trace::TraceBuilder builder;
  const std::int32_t device = builder.device("cpu:0");
  builder.addCounter(builder.track(device, trace::TrackKind::Counter, "mem"), 1, 2.0, "a \"b\"");
  builder.addCounter(builder.track(-1, trace::TrackKind::Counter, "mem"), 1, 3.0, "");
  expectRoundTrip(*std::move(builder).build());
}

TEST(ForeignTracks, EmptyNamesStayEmpty) {
  const ReadTrace read = chrome(R"([
    {"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":" "}},
    {"ph":"X","cat":"F","name":"","pid":1,"tid":1,"ts":0,"dur":1},
    {"ph":"C","name":"","pid":1,"ts":-3,"args":{"value":1}}])");
  ASSERT_EQ(read.trace->tracks().size(), 3U);
  for (const trace::Track& track : read.trace->tracks()) {
    EXPECT_EQ(track.name, track.kind == trace::TrackKind::Device ? "process 1" : "");
  }
  expectRoundTrip(*read.trace);
}

TEST(ForeignTracks, WhatFindsNoTrackLeftIsLostAndCounted) {
  constexpr int kAsync = 66'000;
  std::string text = "[";
  for (int id = 0; id < kAsync; ++id) {
    text += R"({"ph":"n","cat":"c","name":"e","pid":1,"tid":1,"ts":1,"id":)" + std::to_string(id) +
            "},\n";
  }
  text += R"({"ph":"C","name":"late","pid":1,"ts":1,"args":{"value":1}}])";
  const ReadTrace read = chrome(text);
  const std::size_t tracks = trace::TraceBuilder::kNoTrack;
  EXPECT_EQ(read.trace->tracks().size(), tracks);
  EXPECT_EQ(read.trace->size(), tracks - 1);
  EXPECT_EQ(read.report.lost, kAsync + 1 - (tracks - 1));
  EXPECT_EQ(read.trace->droppedEvents(), read.report.lost);
  EXPECT_NE(read.report.firstProblem.find("no track: all 65535"), std::string::npos)
      << read.report.firstProblem;
  EXPECT_TRUE(trace::isConsistent(read.trace->data()));
}

}  // namespace
}  // namespace stagelane::formats
