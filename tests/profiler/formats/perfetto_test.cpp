#include "profiler/formats/perfetto.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <map>
#include <protozero/pbf_reader.hpp>
#include <random>

#include "engine/base/files.h"
#include "engine/trace/trace_builder.h"
#include "tests/profiler/formats/sample_trace.h"

namespace stagelane::formats {
namespace {

using test::difference;
using test::sampleTrace;
using test::TemporaryFolder;
using trace::Category;
using trace::TrackKind;

std::string encoded(const trace::Trace& trace) {
  const TemporaryFolder folder;
  const Status status = writePerfetto(trace, folder / "t.pftrace");
  EXPECT_TRUE(status);
  return readFile(folder / "t.pftrace").value_or("");
}

TEST(Perfetto, ReadsBackAnEqualTrace) {
  const trace::TracePtr trace = sampleTrace();
  const Result<ReadTrace> read = parsePerfetto(encoded(*trace), "test");
  ASSERT_TRUE(read) << describe(read.error());
  EXPECT_EQ(read->report.lost, 0U) << read->report.firstProblem;
  EXPECT_EQ(difference(*trace, *read->trace), "");
}

TEST(Perfetto, ReadsBackAnEmptyTrace) {
  const trace::TracePtr trace = trace::TraceBuilder().build();
  const Result<ReadTrace> read = parsePerfetto(encoded(*trace), "test");
  ASSERT_TRUE(read) << describe(read.error());
  EXPECT_EQ(difference(*trace, *read->trace), "");
}

TEST(Perfetto, ReadsBackRandomTraces) {
  std::mt19937 random(11);
  const auto draw = [&random](int below) {
    return static_cast<std::int32_t>(random() % static_cast<unsigned>(below));
  };
  for (int round = 0; round < 100; ++round) {
    trace::TraceBuilder builder;
    for (const char* name : {"a", "b"}) {
      static_cast<void>(builder.track(builder.device(name), TrackKind::Compute, "compute"));
    }
    for (int count = draw(60); count > 0; --count) {
      const std::string name = "e" + std::to_string(count);
      builder.add({draw(50) - 10, draw(20), name, static_cast<Category>(draw(16)),
                   static_cast<std::uint16_t>(draw(4)), StageId{draw(3) - 1},
                   MicroBatchId{draw(3) - 1}, static_cast<std::uint32_t>(draw(3)), draw(3),
                   draw(3) - 1});
    }
    for (int count = draw(4); count > 0; --count) {
      const TimeNs start = draw(50);
      builder.addStep({count, 0, start, start + draw(40), draw(2) == 1});
    }
    const trace::TracePtr trace = std::move(builder).build();
    const Result<ReadTrace> read = parsePerfetto(encoded(*trace), "test");
    ASSERT_TRUE(read);
    ASSERT_EQ(difference(*trace, *read->trace), "") << "round " << round;
  }
}

/// Begins and ends of each perfetto track, in the order of time, as an independent check.
void expectNesting(const std::string& bytes) {
  std::map<std::uint64_t, int> depth;
  std::map<std::uint64_t, std::uint64_t> last;
  protozero::pbf_reader file(bytes);
  while (file.next(1)) {
    protozero::pbf_reader packet = file.get_message();
    std::uint64_t timestamp = 0;
    std::uint64_t type = 0;
    std::uint64_t track = 0;
    while (packet.next()) {
      if (packet.tag() == 8) {
        timestamp = packet.get_uint64();
      } else if (packet.tag() == 11) {
        protozero::pbf_reader event = packet.get_message();
        while (event.next()) {
          if (event.tag() == 9) {
            type = event.get_uint64();
          } else if (event.tag() == 11) {
            track = event.get_uint64();
          } else {
            event.skip();
          }
        }
      } else {
        packet.skip();
      }
    }
    EXPECT_GE(timestamp, last[track]);
    last[track] = timestamp;
    depth[track] += type == 1 ? 1 : type == 2 ? -1 : 0;
    EXPECT_GE(depth[track], 0);
  }
  for (const auto& [track, open] : depth) EXPECT_EQ(open, 0) << "track " << track;
}

TEST(Perfetto, EveryTrackNestsAndRunsForward) { expectNesting(encoded(*sampleTrace())); }

TEST(Perfetto, OverlappingSlicesGoToSeparateTracks) {
  trace::TraceBuilder builder;
  const std::uint16_t track = builder.track(builder.device("a"), TrackKind::Copy, "copy");
  builder.add({0, 10, "x", Category::Copy, track, {}, {}});
  builder.add({5, 10, "y", Category::Copy, track, {}, {}});
  const std::string bytes = encoded(*std::move(builder).build());
  int descriptors = 0;
  protozero::pbf_reader file(bytes);
  while (file.next(1)) {
    protozero::pbf_reader packet = file.get_message();
    descriptors += packet.next(60) ? 1 : 0;
  }
  EXPECT_EQ(descriptors, 3);
}

TEST(Perfetto, AFileCutAnywhereIsReadAsFarAsItGoes) {
  const trace::TracePtr trace = sampleTrace();
  const std::string bytes = encoded(*trace);
  std::size_t most = 0;
  for (std::size_t length = 0; length <= bytes.size(); ++length) {
    const Result<ReadTrace> read = parsePerfetto(std::string_view(bytes).substr(0, length), "cut");
    if (!read) {
      EXPECT_EQ(read.error().code, ErrorCode::Invalid);
      EXPECT_NE(read.error().context.find("byte"), std::string::npos);
      EXPECT_EQ(most, 0U);
      continue;
    }
    EXPECT_GE(read->trace->size(), most) << "at " << length;
    most = read->trace->size();
    if (length < bytes.size() && read->report.lost > 0) {
      EXPECT_FALSE(read->report.firstProblem.empty());
    }
  }
  EXPECT_EQ(most, trace->size());
}

TEST(Perfetto, SaysAtWhichByteACutFileEnds) {
  const std::string bytes = encoded(*sampleTrace());
  const Result<ReadTrace> read =
      parsePerfetto(std::string_view(bytes).substr(0, bytes.size() - 1), "cut");
  ASSERT_TRUE(read);
  EXPECT_GE(read->report.lost, 1U);
  EXPECT_NE(read->report.firstProblem.find("of " + std::to_string(bytes.size() - 1)),
            std::string::npos)
      << read->report.firstProblem;
  EXPECT_GE(read->trace->droppedEvents(), 13U);
}

/// A thousand slices one after the other, and the places of their packets.
struct LongFile {
  std::string bytes;
  std::vector<std::size_t> packets;

  LongFile() {
    trace::TraceBuilder builder;
    const std::uint16_t track = builder.track(builder.device("a"), TrackKind::Compute, "compute");
    for (TimeNs number = 0; number < 1000; ++number) {
      builder.add({number * 10, 5, "slice", Category::Other, track, {}, {}});
    }
    bytes = encoded(*std::move(builder).build());
    protozero::pbf_reader file(bytes);
    while (file.next()) {
      const protozero::data_view packet = file.get_view();
      packets.push_back(static_cast<std::size_t>(packet.data() - bytes.data()) - 2);
    }
  }
};

TEST(Perfetto, ReadsOnAfterAPlaceThatIsNoPacket) {
  const LongFile file;
  const std::size_t place = file.packets[file.packets.size() / 2];
  for (const std::size_t off : {0U, 1U}) {  // the tag of a packet, its length
    for (int bit = 0; bit < 8; ++bit) {
      std::string bytes = file.bytes;
      bytes[place + off] = static_cast<char>(static_cast<unsigned char>(bytes[place + off]) ^
                                             (1U << static_cast<unsigned>(bit)));
      const Result<ReadTrace> read = parsePerfetto(bytes, "flipped");
      ASSERT_TRUE(read);
      EXPECT_GE(read->trace->size(), 995U) << off << " " << bit;
      EXPECT_GE(read->report.lost, 1U) << off << " " << bit;
      EXPECT_NE(read->report.firstProblem.find(std::to_string(place)), std::string::npos)
          << read->report.firstProblem;
    }
  }
}

TEST(Perfetto, NamesTheBytesThatAreGivenUpBesideTheFirstProblem) {
  const LongFile file;
  std::string bytes = file.bytes;
  const std::size_t place = file.packets[500];
  const std::size_t second = file.packets[700];
  bytes.replace(place, file.packets[510] - place, file.packets[510] - place, '\x07');
  bytes.replace(second, 3, 3, '\x07');
  const Result<ReadTrace> read = parsePerfetto(bytes, "broken");
  ASSERT_TRUE(read);
  const std::size_t given = file.packets[510] - place + file.packets[701] - second;
  const std::string words = std::to_string(given) + " of " + std::to_string(bytes.size()) +
                            " bytes unreadable, in 2 places from byte " + std::to_string(place);
  EXPECT_NE(read->report.firstProblem.find(words), std::string::npos) << read->report.firstProblem;
  EXPECT_EQ(read->report.lost, read->trace->droppedEvents());
}

TEST(Perfetto, MutatedBytesNeverCrash) {
  const std::string bytes = encoded(*sampleTrace());
  std::mt19937 random(3);
  int readable = 0;
  for (int round = 0; round < 4000; ++round) {
    std::string mutated = bytes;
    for (auto count = 1 + random() % 6; count > 0; --count) {
      mutated[random() % mutated.size()] = static_cast<char>(random());
    }
    readable += parsePerfetto(mutated, "mutated") ? 1 : 0;
  }
  EXPECT_GT(readable, 0);
}

TEST(Perfetto, RandomBytesNeverCrash) {
  std::mt19937 random(4);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes(random() % 200, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random() % 4 == 0 ? 0x0A : random());
    static_cast<void>(parsePerfetto(bytes, "random"));
  }
}

TEST(Perfetto, WhatIsNoTraceIsAnErrorWithTheOffset) {
  for (const char* text : {"", "hello", "{\"traceEvents\":[]}"}) {
    const Result<ReadTrace> read = parsePerfetto(text, "file.x");
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().code, ErrorCode::Invalid);
    EXPECT_NE(read.error().context.find("file.x"), std::string::npos);
  }
  EXPECT_FALSE(readPerfetto("/nonexistent/file.pftrace"));
}

/// A repeat in which one device sends to the other; with `overlap` its track needs a second lane.
trace::TracePtr repeatTrace(std::int32_t repeat, bool overlap) {
  trace::TraceBuilder builder;
  const std::int32_t first = builder.device("a");
  const std::int32_t second = builder.device("b");
  const std::uint16_t compute = builder.track(first, TrackKind::Compute, "compute");
  const std::uint16_t sends = builder.track(first, TrackKind::Copy, "copy");
  const std::uint16_t receives = builder.track(second, TrackKind::Copy, "copy");
  const TimeNs startNs = 1000 * repeat;
  builder.add({startNs, 100, "F0", Category::Forward, compute, StageId{0}, MicroBatchId{0}});
  if (overlap) {
    builder.add({startNs + 50, 100, "F1", Category::Forward, compute, StageId{0}, MicroBatchId{1}});
  }
  builder.add({startNs + 100, 10, "SEND_F0", Category::SendForward, sends, StageId{0},
               MicroBatchId{0}, 1, 64, second});
  builder.add({startNs + 100, 20, "RECV_F0", Category::RecvForward, receives, StageId{1},
               MicroBatchId{0}, 1, 64, first});
  builder.addStep({repeat, 0, startNs, startNs + 200, false});
  builder.setMetadata("variant", "p");
  return std::move(builder).build();
}

TEST(Perfetto, PartsAddedToAFileAreOneTrace) {
  const TemporaryFolder folder;
  for (const std::int32_t repeat : {0, 1, 2}) {
    ASSERT_TRUE(appendPerfetto(*repeatTrace(repeat, repeat == 1), folder / "t.pftrace"));
  }
  const auto read = readPerfetto(folder / "t.pftrace");
  ASSERT_TRUE(read) << describe(read.error());
  EXPECT_EQ(read->report.lost, 0U) << read->report.firstProblem;
  const trace::Trace& trace = *read->trace;
  EXPECT_EQ(trace.devices(), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(trace.tracks().size(), 5U);
  EXPECT_EQ(trace.size(), 10U);
  ASSERT_EQ(trace.steps().size(), 3U);
  EXPECT_EQ(trace.steps()[2].repeat, 2);
  ASSERT_EQ(trace.flows().size(), 3U);
  for (const trace::Flow& flow : trace.flows()) {
    EXPECT_EQ(trace.event(flow.from).startNs, trace.event(flow.to).startNs);
  }
}

TEST(Perfetto, APartThatWasCutLeavesThoseBeforeIt) {
  const TemporaryFolder folder;
  for (const std::int32_t repeat : {0, 1}) {
    ASSERT_TRUE(appendPerfetto(*repeatTrace(repeat, false), folder / "t.pftrace"));
  }
  const std::string bytes = readFile(folder / "t.pftrace").value_or("");
  for (std::size_t length = bytes.size() / 2; length < bytes.size(); ++length) {
    const auto read = parsePerfetto(std::string_view(bytes).substr(0, length), "cut");
    ASSERT_TRUE(read);
    EXPECT_GE(read->trace->size(), 3U) << "at " << length;
  }
}

TEST(Perfetto, APartIsNeverAppendedThroughALink) {
  const TemporaryFolder folder;
  ASSERT_TRUE(writeFileAtomically(folder / "precious", "precious"));
  std::filesystem::create_symlink("precious", folder / "t.pftrace");
  const Status appended = appendPerfetto(*repeatTrace(0, false), folder / "t.pftrace");
  ASSERT_FALSE(appended);
  EXPECT_EQ(appended.error().code, ErrorCode::CannotWrite);
  EXPECT_EQ(readFile(folder / "precious").value_or(""), "precious");
}

/// An instant of 12 bytes, ten times smaller than in memory: sequence 1, time 1, track 5.
constexpr std::string_view kInstant("\x0A\x0A\x40\x01\x50\x01\x5A\x04\x48\x03\x58\x05", 12);
constexpr std::size_t kInstants = 300'000;

std::string manyInstants() {
  std::string bytes;
  for (std::size_t i = 0; i < kInstants; ++i) bytes += kInstant;
  return bytes;
}

TEST(Perfetto, StopsWhereWhatItHasReadTakesTooMuchMemory) {
  const std::string bytes = manyInstants();
  std::vector<std::size_t> forgotten;
  const ParseMemory memory{std::uint64_t{16} << 20,
                           [&](std::size_t place) { forgotten.push_back(place); }};
  const auto part = parsePerfettoWithin(memory, bytes, "test");
  ASSERT_TRUE(part) << describe(part.error());
  EXPECT_GT(part->trace->size(), kInstants / 4);
  EXPECT_LT(part->trace->size(), kInstants / 2 + kInstants / 4);
  EXPECT_EQ(part->report.lost, 1U);
  EXPECT_NE(part->report.firstProblem.find("memory limit of 16 MiB at byte "), std::string::npos)
      << part->report.firstProblem;
  ASSERT_GE(forgotten.size(), 2U);
  EXPECT_TRUE(std::is_sorted(forgotten.begin(), forgotten.end()));
  EXPECT_EQ(forgotten.back(), part->trace->size() * kInstant.size());

  const auto whole = parsePerfetto(bytes, "test");
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->trace->size(), kInstants);
  EXPECT_EQ(whole->report.lost, 0U) << whole->report.firstProblem;
}

TEST(Perfetto, APackedFileIsReadWithinTheMemoryLimit) {
  const TemporaryFolder folder;
  const std::string bytes = manyInstants();
  gzFile packed = gzopen((folder / "many.pftrace.gz").c_str(), "wb");
  ASSERT_NE(packed, nullptr);
  ASSERT_EQ(gzwrite(packed, bytes.data(), static_cast<unsigned>(bytes.size())),
            static_cast<int>(bytes.size()));
  ASSERT_EQ(gzclose(packed), Z_OK);

  const auto whole = readPerfetto(folder / "many.pftrace.gz");
  ASSERT_TRUE(whole) << describe(whole.error());
  EXPECT_EQ(whole->trace->size(), kInstants);
  EXPECT_EQ(whole->report.lost, 0U) << whole->report.firstProblem;

  // All bytes fit, but not together with their events.
  const std::uint64_t most = std::uint64_t{16} << 20;
  ASSERT_LT(bytes.size(), most);
  const auto part = readPerfetto(folder / "many.pftrace.gz", nullptr, Keep::Trace, most);
  ASSERT_TRUE(part) << describe(part.error());
  EXPECT_LT(part->trace->size(), kInstants);
  EXPECT_EQ(part->report.lost, 1U);
  EXPECT_NE(part->report.firstProblem.find("memory limit of 16 MiB at byte "), std::string::npos)
      << part->report.firstProblem;

  // Not even all bytes fit, and the events of those that do leave no room for one.
  const auto none =
      readPerfetto(folder / "many.pftrace.gz", nullptr, Keep::Trace, std::uint64_t{2} << 20);
  ASSERT_FALSE(none);
  EXPECT_NE(describe(none.error()).find("exceeds the memory limit of 2 MiB"), std::string::npos)
      << describe(none.error());
}

TEST(Perfetto, AnUnwritablePlaceIsAnError) {
  EXPECT_FALSE(appendPerfetto(*sampleTrace(), "/nonexistent/t.pftrace"));
  const Status status = writePerfetto(*sampleTrace(), "/nonexistent/t.pftrace");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::CannotWrite);
}

TEST(Csv, HasAHeaderAndOneLineAnEvent) {
  trace::TraceBuilder builder;
  const std::uint16_t track = builder.track(builder.device("cpu:0"), TrackKind::Compute, "compute");
  builder.add({5, 10, "F3", Category::Forward, track, StageId{0}, MicroBatchId{3}, 9});
  builder.add({20, 1, "a,\"b\"", Category::Other, track, {}, {}});
  EXPECT_EQ(toCsv(*std::move(builder).build()),
            "start_ns,duration_ns,device,track,category,name,stage,micro_batch,correlation\n"
            "5,10,cpu:0,compute,F,F3,0,3,9\n"
            "20,1,cpu:0,compute,other,\"a,\"\"b\"\"\",,,\n");
  EXPECT_EQ(toCsv(*trace::TraceBuilder().build()),
            "start_ns,duration_ns,device,track,category,name,stage,micro_batch,correlation\n");
}

TEST(Csv, NamesThatASpreadsheetWouldRunAreGuarded) {
  trace::TraceBuilder builder;
  const std::uint16_t track = builder.track(builder.device("@gpu"), TrackKind::Compute, "-stream");
  for (const char* name : {"=1+2", "+x", "'=x"}) {
    builder.add({0, 1, name, Category::Other, track, {}, {}});
  }
  EXPECT_EQ(toCsv(*std::move(builder).build()),
            "start_ns,duration_ns,device,track,category,name,stage,micro_batch,correlation\n"
            "0,1,'@gpu,'-stream,other,'=1+2,,,\n"
            "0,1,'@gpu,'-stream,other,'+x,,,\n"
            "0,1,'@gpu,'-stream,other,''=x,,,\n");
}

}  // namespace
}  // namespace stagelane::formats
