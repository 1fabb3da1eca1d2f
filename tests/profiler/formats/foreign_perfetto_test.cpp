// Perfetto traces as other programs write them, made packet by packet.

#include <gtest/gtest.h>

#include <protozero/pbf_writer.hpp>

#include "profiler/formats/perfetto.h"

namespace stagelane::formats {
namespace {

using protozero::pbf_writer;
using trace::Category;

/// Collects packets into a file.
class File {
 public:
  template <class Fill>
  void packet(std::uint32_t sequence, Fill fill) {
    pbf_writer file(m_bytes);
    pbf_writer packet(file, 1);
    packet.add_uint32(10, sequence);
    fill(packet);
  }
  void event(std::uint32_t sequence, std::uint64_t timestamp, std::uint64_t track,
             std::uint64_t type, const std::string& name = "", const std::string& category = "") {
    packet(sequence, [&](pbf_writer& packet) {
      packet.add_uint64(8, timestamp);
      pbf_writer event(packet, 11);
      event.add_uint64(9, type);
      event.add_uint64(11, track);
      if (!name.empty()) {
        event.add_string(23, name);
        event.add_string(22, category);
      }
    });
  }
  void process(std::uint64_t uuid, std::int32_t pid, const std::string& name) {
    packet(1, [&](pbf_writer& packet) {
      pbf_writer descriptor(packet, 60);
      descriptor.add_uint64(1, uuid);
      pbf_writer process(descriptor, 3);
      process.add_int32(1, pid);
      process.add_string(6, name);
    });
  }
  void thread(std::uint64_t uuid, std::int32_t pid, const std::string& name) {
    packet(1, [&](pbf_writer& packet) {
      pbf_writer descriptor(packet, 60);
      descriptor.add_uint64(1, uuid);
      pbf_writer thread(descriptor, 4);
      thread.add_int32(1, pid);
      thread.add_int32(2, 77);
      thread.add_string(5, name);
    });
  }
  [[nodiscard]] const std::string& bytes() const { return m_bytes; }
  [[nodiscard]] ReadTrace read() const {
    Result<ReadTrace> result = parsePerfetto(m_bytes, "foreign");
    EXPECT_TRUE(result) << describe(result.error());
    return result.value_or(ReadTrace{});
  }

 private:
  std::string m_bytes;
};

constexpr std::uint64_t kBegin = 1;
constexpr std::uint64_t kEnd = 2;

TEST(ForeignPerfetto, ProcessesAreDevicesAndThreadsTheirTracks) {
  File file;
  file.process(5, 100, "gpu zero");
  file.thread(6, 100, "compute");
  file.packet(1, [](pbf_writer& packet) { packet.add_string(1, "an unknown packet"); });
  file.event(1, 1000, 6, kBegin, "work", "F");
  file.event(1, 1500, 6, kEnd);
  const ReadTrace read = file.read();
  EXPECT_EQ(read.report.lost, 0U);
  ASSERT_EQ(read.trace->size(), 1U);
  EXPECT_EQ(read.trace->devices(), (std::vector<std::string>{"gpu zero"}));
  const trace::EventView view = read.trace->event(0);
  EXPECT_EQ(view.startNs, 1000);
  EXPECT_EQ(view.durationNs, 500);
  EXPECT_EQ(view.category, Category::Forward);
  EXPECT_EQ(read.trace->tracks()[view.track].kind, trace::TrackKind::Compute);
  EXPECT_EQ(read.trace->tracks()[view.track].device, 0);
}

TEST(ForeignPerfetto, AThreadMayBeDescribedBeforeItsProcess) {
  File file;
  file.thread(6, 100, "compute");
  file.process(5, 100, "server");
  file.event(1, 1000, 6, kBegin, "work", "F");
  file.event(1, 1500, 6, kEnd);
  const ReadTrace read = file.read();
  EXPECT_EQ(read.trace->devices(), (std::vector<std::string>{"server"}));
  EXPECT_EQ(read.trace->tracks()[read.trace->event(0).track].name, "compute");
}

TEST(ForeignPerfetto, SlicesOfAProcessItselfAreOnATrackThatIsShown) {
  File file;
  file.process(5, 100, "server");
  file.thread(6, 100, "compute");
  file.event(1, 1000, 5, kBegin, "request", "");
  file.event(1, 1500, 5, kEnd);
  file.event(1, 2000, 77, kBegin, "on a track that nothing describes", "");
  file.event(1, 2500, 77, kEnd);
  const ReadTrace read = file.read();
  ASSERT_EQ(read.trace->size(), 2U);
  for (std::size_t event = 0; event < 2; ++event) {
    const trace::Track& track = read.trace->tracks()[read.trace->event(event).track];
    EXPECT_EQ(track.kind, trace::TrackKind::Other) << event;
    EXPECT_GE(track.device, 0) << event;
  }
  EXPECT_EQ(read.trace->devices().front(), "server");
}

TEST(ForeignPerfetto, EachSequenceHasItsOwnTexts) {
  File file;
  for (const std::uint32_t sequence : {1U, 2U}) {
    file.packet(sequence, [sequence](pbf_writer& packet) {
      packet.add_uint64(8, 10 * sequence);
      packet.add_uint32(13, 1);
      {
        pbf_writer interned(packet, 12);
        pbf_writer name(interned, 2);
        name.add_uint64(1, 1);
        name.add_string(2, "name of " + std::to_string(sequence));
      }
      pbf_writer event(packet, 11);
      event.add_uint64(9, 3);
      event.add_uint64(10, 1);
      event.add_uint64(11, 40);
    });
  }
  const ReadTrace read = file.read();
  ASSERT_EQ(read.trace->size(), 2U);
  EXPECT_EQ(read.trace->event(0).name, "name of 1");
  EXPECT_EQ(read.trace->event(1).name, "name of 2");
}

TEST(ForeignPerfetto, IncrementalClocksCountFromTheSnapshot) {
  File file;
  file.packet(3, [](pbf_writer& packet) {
    pbf_writer snapshot(packet, 6);
    {
      pbf_writer boot(snapshot, 1);
      boot.add_uint32(1, 6);
      boot.add_uint64(2, 5000);
    }
    pbf_writer own(snapshot, 1);
    own.add_uint32(1, 64);
    own.add_uint64(2, 0);
    own.add_bool(3, true);
    own.add_uint64(4, 1000);
  });
  file.packet(3, [](pbf_writer& packet) {
    pbf_writer defaults(packet, 59);
    defaults.add_uint32(58, 64);
    pbf_writer event(defaults, 11);
    event.add_uint64(11, 9);
  });
  file.packet(3, [](pbf_writer& packet) {
    packet.add_uint64(8, 2);
    pbf_writer event(packet, 11);
    event.add_uint64(9, kBegin);
    event.add_string(23, "a");
  });
  file.packet(3, [](pbf_writer& packet) {
    packet.add_uint64(8, 3);
    pbf_writer event(packet, 11);
    event.add_uint64(9, kEnd);
  });
  const ReadTrace read = file.read();
  ASSERT_EQ(read.trace->size(), 1U);
  EXPECT_EQ(read.trace->event(0).startNs, 7000);
  EXPECT_EQ(read.trace->event(0).durationNs, 3000);
}

TEST(ForeignPerfetto, LegacyCompleteEventsHaveADuration) {
  File file;
  file.packet(1, [](pbf_writer& packet) {
    packet.add_uint64(8, 100);
    pbf_writer event(packet, 11);
    event.add_uint64(11, 9);
    event.add_string(23, "x");
    pbf_writer legacy(event, 6);
    legacy.add_int32(2, 'X');
    legacy.add_int64(3, 7);
  });
  const ReadTrace read = file.read();
  ASSERT_EQ(read.trace->size(), 1U);
  EXPECT_EQ(read.trace->event(0).durationNs, 7000);
}

TEST(ForeignPerfetto, CountersHaveMultipliersAndIncrements) {
  File file;
  file.packet(1, [](pbf_writer& packet) {
    pbf_writer descriptor(packet, 60);
    descriptor.add_uint64(1, 8);
    descriptor.add_string(2, "memory");
    pbf_writer counter(descriptor, 8);
    counter.add_int32(3, 3);
    counter.add_int64(4, 1024);
    counter.add_bool(5, true);
  });
  for (const std::uint64_t timestamp : {10U, 20U}) {
    file.packet(1, [timestamp](pbf_writer& packet) {
      packet.add_uint64(8, timestamp);
      pbf_writer event(packet, 11);
      event.add_uint64(9, 4);
      event.add_uint64(11, 8);
      event.add_int64(30, 2);
    });
  }
  const ReadTrace read = file.read();
  ASSERT_EQ(read.trace->counters().size(), 1U);
  EXPECT_EQ(read.trace->counters()[0].unit, "B");
  EXPECT_EQ(read.trace->counters()[0].values, (std::vector<double>{2048.0, 4096.0}));
}

TEST(ForeignPerfetto, WhatDoesNotMatchIsLostAndCounted) {
  File file;
  file.event(1, 10, 4, kEnd);
  file.event(1, 20, 4, kBegin, "never ends", "F");
  file.event(1, ~std::uint64_t{0}, 4, kBegin, "beyond time", "F");
  const ReadTrace read = file.read();
  EXPECT_EQ(read.trace->size(), 0U);
  EXPECT_EQ(read.report.lost, 3U);
  EXPECT_NE(read.report.firstProblem.find("byte 0"), std::string::npos);
}

TEST(ForeignPerfetto, ARingOfParentsEnds) {
  File file;
  for (const std::uint64_t uuid : {4U, 5U}) {
    file.packet(1, [uuid](pbf_writer& packet) {
      pbf_writer descriptor(packet, 60);
      descriptor.add_uint64(1, uuid);
      descriptor.add_string(2, "ring");
      descriptor.add_uint64(5, 9 - uuid);
    });
  }
  file.event(1, 10, 4, kBegin, "x", "F");
  file.event(1, 20, 4, kEnd);
  EXPECT_EQ(file.read().trace->size(), 1U);
}

TEST(ForeignPerfetto, AnnotationsBecomeChromesArguments) {
  File file;
  file.packet(1, [](pbf_writer& packet) {
    packet.add_uint64(8, 100);
    pbf_writer event(packet, 11);
    event.add_uint64(9, 3);
    event.add_string(23, "e");
    const auto annotate = [&event](const std::string& name, auto fill) {
      pbf_writer annotation(event, 4);
      annotation.add_string(10, name);
      fill(annotation);
    };
    annotate("yes", [](pbf_writer& value) { value.add_bool(2, true); });
    annotate("whole", [](pbf_writer& value) { value.add_int64(4, -5); });
    annotate("real", [](pbf_writer& value) { value.add_double(5, 0.25); });
    annotate("text", [](pbf_writer& value) { value.add_string(6, "a \"b\""); });
    annotate("json", [](pbf_writer& value) { value.add_string(9, "{ \"k\" : [1, null] }"); });
    annotate("broken", [](pbf_writer& value) { value.add_string(9, "{ \"k\" :"); });
    annotate("tree", [](pbf_writer& value) {
      pbf_writer member(value, 11);
      member.add_string(10, "list");
      for (const std::uint64_t number : {1U, 2U}) {
        pbf_writer item(member, 12);
        item.add_uint64(3, number);
      }
    });
  });
  const Result<ReadTrace> read = parsePerfetto(file.bytes(), "foreign", Keep::Details);
  ASSERT_TRUE(read);
  ASSERT_EQ(read->trace->size(), 1U);
  EXPECT_EQ(read->details->at(0).arguments,
            R"("yes":true,"whole":-5,"real":0.25,"text":"a \"b\"","json":{"k":[1,null]},)"
            R"("tree":{"list":[1,2]})");
  EXPECT_TRUE(read->details->at(0).isInstant);
}

}  // namespace
}  // namespace stagelane::formats
