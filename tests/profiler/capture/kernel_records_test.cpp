// Hand-made records of a GPU, and their places in a trace.

#include "profiler/capture/kernel_records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <random>

#include "engine/trace/trace_builder.h"
#include "profiler/capture/action_id.h"
#include "profiler/capture/record_owners.h"

namespace stagelane::capture::detail {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

/// A recording of two seconds at a usual uptime; the origin is one second before it.
constexpr TimeNs kStart = 1'000'000'000'000;
constexpr RecordedTime kTime{kStart, kStart + 2'000'000'000, kStart + 2'100'000'000};
constexpr TimeNs kOrigin = kStart - 1'000'000'000;
constexpr std::uint64_t kInside = kStart + 500;

class KernelEvents : public ::testing::Test {
 protected:
  KernelEvents() {
    m_config.devices = {"cuda:0", "cuda:1", "cpu:0"};
    m_config.originNs = kOrigin;
  }

  DeviceWork kernel(const std::string& name, std::uint32_t correlation = 0) {
    DeviceWork work;
    work.startNs = kInside;
    work.endNs = kInside + 100;
    work.context = 1;
    work.stream = 7;
    work.correlation = correlation;
    work.name = m_records.nameNumber(name);
    return work;
  }
  HostWork call(const std::string& name, std::uint32_t correlation, std::uint32_t thread) {
    HostWork work;
    work.startNs = kInside - 50;
    work.endNs = kInside - 10;
    work.thread = thread;
    work.correlation = correlation;
    work.name = m_records.nameNumber(name);
    return work;
  }
  void claim(std::uint32_t correlation, int device, int stage, int microBatch) {
    m_records.add(
        ExternalId{correlation, packAction({device, StageId{stage}, MicroBatchId{microBatch}})});
  }

  void place(const RecordedTime& time = kTime) {
    trace::TraceBuilder builder;
    m_report = addKernelRecords(m_records, m_config, time, builder);
    m_trace = std::move(builder).build();
  }

  /// The only event with that name, as "device/track"; "" if no event has it.
  [[nodiscard]] std::string trackOf(const std::string& name) const {
    const std::optional<trace::EventView> event = find(name);
    if (!event) return {};
    const trace::Track& track = m_trace->tracks()[event->track];
    const std::string device =
        track.device < 0 ? "" : m_trace->devices()[static_cast<std::size_t>(track.device)];
    return device + "/" + track.name;
  }
  [[nodiscard]] std::optional<trace::EventView> find(const std::string& name) const {
    std::optional<trace::EventView> found;
    for (std::size_t i = 0; i < m_trace->size(); ++i) {
      if (m_trace->event(i).name == name) {
        EXPECT_FALSE(found) << name << " is there twice";
        found = m_trace->event(i);
      }
    }
    return found;
  }
  [[nodiscard]] std::vector<std::string> flows() const {
    std::vector<std::string> texts;
    for (const trace::Flow& flow : m_trace->flows()) {
      texts.push_back(std::string(m_trace->event(flow.from).name) + " -> " +
                      std::string(m_trace->event(flow.to).name));
    }
    return texts;
  }

  KernelRecords m_records{1000};
  CaptureConfig m_config;
  CaptureReport m_report;
  trace::TracePtr m_trace;
};

TEST_F(KernelEvents, OfNoRecordsAreNone) {
  place();
  EXPECT_EQ(m_trace->size(), 0U);
  EXPECT_EQ(m_report.events, 0U);
  EXPECT_EQ(m_report.dropped, 0U);
  EXPECT_EQ(m_report.problem, "");
  EXPECT_THAT(m_trace->tracks(), IsEmpty());
}

TEST_F(KernelEvents, AKernelLiesOnItsStreamBelowItsGpuInTheRunsTime) {
  DeviceWork work = kernel("_Z3addPfi");
  work.gpu = 1;
  m_records.add(work);
  place();
  EXPECT_EQ(trackOf("add(float*, int)"), "cuda:1/stream 7");
  const auto event = find("add(float*, int)");
  EXPECT_EQ(event->startNs, 1'000'000'500);
  EXPECT_EQ(event->durationNs, 100);
  EXPECT_EQ(event->category, trace::Category::Kernel);
  EXPECT_EQ(m_trace->tracks()[event->track].kind, trace::TrackKind::Kernels);
  EXPECT_FALSE(event->stage.valid());
  EXPECT_FALSE(event->microBatch.valid());
  EXPECT_EQ(m_report.events, 1U);
  EXPECT_EQ(m_report.problem, "");
}

TEST_F(KernelEvents, StreamsHaveTracksOfTheirOwn) {
  for (const std::uint32_t stream : {7U, 13U, 7U}) {
    DeviceWork work = kernel("k" + std::to_string(m_records.deviceWork().size()));
    work.stream = stream;
    m_records.add(work);
  }
  place();
  EXPECT_EQ(trackOf("k0"), "cuda:0/stream 7");
  EXPECT_EQ(trackOf("k1"), "cuda:0/stream 13");
  EXPECT_EQ(trackOf("k2"), "cuda:0/stream 7");
}

TEST_F(KernelEvents, TheSameStreamNumberInAnotherContextIsAnotherStream) {
  DeviceWork other = kernel("other");
  other.context = 4;
  m_records.add(other);
  m_records.add(kernel("usual"));
  place();
  EXPECT_EQ(trackOf("usual"), "cuda:0/stream 7");
  EXPECT_EQ(trackOf("other"), "cuda:0/stream 7, context 4");
}

TEST_F(KernelEvents, WorkOfAnActionHasItsStageAndMicroBatch) {
  claim(21, 0, 3, 5);
  m_records.add(kernel("k", 21));
  m_records.add(kernel("unclaimed", 22));
  place();
  EXPECT_EQ(find("k")->stage, StageId{3});
  EXPECT_EQ(find("k")->microBatch, MicroBatchId{5});
  EXPECT_FALSE(find("unclaimed")->stage.valid());
}

TEST_F(KernelEvents, AnOptimizersKernelHasAStageAndNoMicroBatch) {
  claim(21, 0, 3, -1);
  m_records.add(kernel("k", 21));
  place();
  EXPECT_EQ(find("k")->stage, StageId{3});
  EXPECT_FALSE(find("k")->microBatch.valid());
}

TEST_F(KernelEvents, ACorrelationClaimedTwiceDifferentlyIsNobodys) {
  claim(21, 0, 3, 5);
  claim(21, 0, 3, 6);
  claim(22, 0, 1, 1);
  claim(22, 0, 1, 1);
  m_records.add(kernel("disputed", 21));
  m_records.add(kernel("agreed", 22));
  place();
  EXPECT_FALSE(find("disputed")->stage.valid());
  EXPECT_EQ(find("agreed")->stage, StageId{1});
}

TEST_F(KernelEvents, TwoPartitionsOfAGpuAreToldApartByTheirActions) {
  m_config.devices = {"cuda:0/1of2", "cuda:0/2of2"};
  claim(1, 0, 0, 0);
  claim(2, 1, 1, 0);
  m_records.add(kernel("first", 1));
  m_records.add(kernel("second", 2));
  m_records.add(kernel("nobodys", 3));
  place();
  EXPECT_EQ(trackOf("first"), "cuda:0/1of2/stream 7");
  EXPECT_EQ(trackOf("second"), "cuda:0/2of2/stream 7");
  EXPECT_EQ(trackOf("nobodys"), "/cuda:0 stream 7");
}

TEST_F(KernelEvents, AGreenContextBelongsToThePartitionWhoseActionsUseIt) {
  m_config.devices = {"cuda:0/1of2", "cuda:0/2of2"};
  m_records.add(GpuContext{1, 0, 132, 0, false});
  m_records.add(GpuContext{2, 0, 64, 1, true});
  m_records.add(GpuContext{3, 0, 0, 1, true});
  claim(1, 0, 0, 0);
  claim(2, 1, 1, 0);
  const auto in = [this](const char* name, std::uint32_t context, std::uint32_t correlation) {
    DeviceWork work = kernel(name, correlation);
    work.context = context;
    m_records.add(work);
  };
  in("first", 2, 1);
  in("also first", 2, 9);
  in("second", 3, 2);
  in("escaped", 1, 1);
  in("nobodys", 1, 9);
  place();
  EXPECT_EQ(trackOf("first"), "cuda:0/1of2/stream 7, green context 2 (64 SMs)");
  EXPECT_EQ(trackOf("also first"), "cuda:0/1of2/stream 7, green context 2 (64 SMs)");
  EXPECT_EQ(trackOf("second"), "cuda:0/2of2/stream 7, green context 3");
  EXPECT_EQ(trackOf("escaped"), "cuda:0/1of2/stream 7") << "outside its partition, but its work";
  EXPECT_EQ(trackOf("nobodys"), "/cuda:0 stream 7");
}

TEST_F(KernelEvents, AGreenContextThatTwoPartitionsUseSaysNothing) {
  m_config.devices = {"cuda:0/1of2", "cuda:0/2of2"};
  m_records.add(GpuContext{1, 0, 64, 0, true});
  claim(1, 0, 0, 0);
  claim(2, 1, 1, 0);
  m_records.add(kernel("first", 1));
  m_records.add(kernel("second", 2));
  m_records.add(kernel("nobodys", 3));
  place();
  EXPECT_EQ(trackOf("nobodys"), "/cuda:0 stream 7, green context 1 (64 SMs)");
}

TEST_F(KernelEvents, WorkOnAnotherGpuThanItsActionsIsBelowTheGpuThatDidIt) {
  claim(1, 0, 2, 3);
  DeviceWork work = kernel("k", 1);
  work.gpu = 1;
  m_records.add(work);
  place();
  EXPECT_EQ(trackOf("k"), "cuda:1/stream 7");
  EXPECT_EQ(find("k")->stage, StageId{2});
}

TEST_F(KernelEvents, AGpuThatIsNotInTheRunMakesNoDevice) {
  DeviceWork work = kernel("k");
  work.gpu = 6;
  m_records.add(work);
  claim(5, 77, 0, 0);
  m_records.add(kernel("of an unknown device", 5));
  place();
  EXPECT_EQ(trackOf("k"), "/cuda:6 stream 7");
  EXPECT_EQ(trackOf("of an unknown device"), "cuda:0/stream 7");
  EXPECT_THAT(m_trace->devices(), ElementsAre("cuda:0"));
}

TEST_F(KernelEvents, CopiesAndSetsKnowTheirBytes) {
  DeviceWork copy = kernel("Memcpy HtoD (Pinned -> Device)");
  copy.kind = DeviceWork::Kind::Copy;
  copy.bytes = 4096;
  DeviceWork set = kernel("Memset (Device)");
  set.kind = DeviceWork::Kind::Set;
  set.bytes = std::numeric_limits<std::uint64_t>::max();
  m_records.add(copy);
  m_records.add(set);
  place();
  EXPECT_EQ(find("Memcpy HtoD (Pinned -> Device)")->category, trace::Category::Copy);
  EXPECT_EQ(find("Memcpy HtoD (Pinned -> Device)")->categoryWord, "gpu_memcpy");
  EXPECT_EQ(find("Memset (Device)")->categoryWord, "gpu_memset");
  std::vector<Bytes> bytes;
  for (std::size_t i = 0; i < m_trace->size(); ++i) {
    ASSERT_NE(m_trace->transferOf(i), nullptr);
    EXPECT_EQ(m_trace->transferOf(i)->peer, -1);
    bytes.push_back(m_trace->transferOf(i)->bytes);
  }
  EXPECT_THAT(bytes, UnorderedElementsAre(4096, std::numeric_limits<Bytes>::max()));
}

TEST_F(KernelEvents, APeerCopyNamesTheOtherGpuFromBothEnds) {
  for (const std::uint32_t gpu : {0U, 1U}) {
    DeviceWork copy = kernel("on " + std::to_string(gpu));
    copy.kind = DeviceWork::Kind::PeerCopy;
    copy.gpu = gpu;
    copy.bytes = 64;
    copy.from = 0;
    copy.to = 1;
    m_records.add(copy);
  }
  DeviceWork abroad = kernel("abroad");
  abroad.kind = DeviceWork::Kind::PeerCopy;
  abroad.from = 0;
  abroad.to = 5;
  m_records.add(abroad);
  place();
  for (std::size_t i = 0; i < m_trace->size(); ++i) {
    const std::string_view name = m_trace->event(i).name;
    const trace::Transfer* const transfer = m_trace->transferOf(i);
    const std::string peer = transfer == nullptr || transfer->peer < 0
                                 ? ""
                                 : m_trace->devices()[static_cast<std::size_t>(transfer->peer)];
    EXPECT_EQ(peer, name == "on 0" ? "cuda:1" : name == "on 1" ? "cuda:0" : "") << name;
  }
}

TEST_F(KernelEvents, WhatIsOnNoGpuIsNotOnACpuWorkerEither) {
  DeviceWork copy = kernel("copy");
  copy.kind = DeviceWork::Kind::PeerCopy;
  copy.bytes = 1;
  copy.from = 0;  // and no destination
  DeviceWork lost = kernel("lost");
  lost.gpu = kNoNumber;
  m_records.add(copy);
  m_records.add(lost);
  place();
  EXPECT_THAT(m_trace->devices(), ElementsAre("cuda:0"));
  EXPECT_EQ(trackOf("lost"), "/cuda:4294967295 stream 7");
}

TEST_F(KernelEvents, OverlappingCopiesAndKernelsKeepTheirTimes) {
  DeviceWork copy = kernel("copy");
  copy.kind = DeviceWork::Kind::Copy;
  copy.stream = 9;
  copy.startNs += 40;
  copy.endNs += 40;
  m_records.add(kernel("k"));
  m_records.add(copy);
  place();
  EXPECT_LT(find("copy")->startNs, find("k")->endNs());
  EXPECT_GT(find("copy")->endNs(), find("k")->endNs());
}

TEST_F(KernelEvents, ALaunchPointsAtAllThatItLaunched) {
  claim(4, 1, 0, 2);
  m_records.add(call("cudaGraphLaunch", 4, 900));
  DeviceWork first = kernel("first", 4);
  DeviceWork second = kernel("second", 4);
  second.stream = 8;
  first.gpu = second.gpu = 1;
  m_records.add(first);
  m_records.add(second);
  m_records.add(kernel("not launched here", 5));
  place();
  EXPECT_THAT(flows(),
              UnorderedElementsAre("cudaGraphLaunch -> first", "cudaGraphLaunch -> second"));
  EXPECT_EQ(trackOf("cudaGraphLaunch"), "cuda:1/CUDA calls");
  EXPECT_EQ(find("cudaGraphLaunch")->categoryWord, "cuda_runtime");
  EXPECT_EQ(find("cudaGraphLaunch")->microBatch, MicroBatchId{2});
}

TEST_F(KernelEvents, ALaunchThroughTheRuntimeIsOneCallNotAlsoTheDriverCallInsideIt) {
  HostWork inner = call("cuLaunchKernel", 4, 900);
  inner.kind = HostWork::Kind::DriverCall;
  inner.startNs += 5;
  inner.endNs -= 5;
  m_records.add(inner);  // CUPTI's records are in the order of their ends
  m_records.add(call("cudaLaunchKernel", 4, 900));
  m_records.add(kernel("k", 4));
  place();
  EXPECT_EQ(trackOf("cuLaunchKernel"), "");
  EXPECT_THAT(flows(), ElementsAre("cudaLaunchKernel -> k"));
  EXPECT_EQ(m_report.events, 2U);
  EXPECT_EQ(m_report.dropped, 0U) << "nothing is missing";
}

TEST_F(KernelEvents, ALaunchThroughTheDriverAloneIsShown) {
  HostWork launch = call("cuLaunchKernelEx", 4, 900);
  launch.kind = HostWork::Kind::DriverCall;
  m_records.add(launch);
  HostWork cut = call("cudaLaunchKernelExC", 4, 900);
  cut.endNs = 0;
  m_records.add(cut);  // a record that cannot be shown hides no other
  m_records.add(kernel("k", 4));
  place();
  EXPECT_THAT(flows(), ElementsAre("cuLaunchKernelEx -> k"));
  EXPECT_EQ(m_report.cutOff, 1U);
  EXPECT_EQ(find("cuLaunchKernelEx")->categoryWord, "cuda_driver");
}

TEST_F(KernelEvents, CallsOutsideActionsAreWhereTheirThreadWorks) {
  claim(1, 1, 0, 0);
  m_records.add(call("of the action", 1, 900));
  m_records.add(call("between actions", 2, 900));
  m_records.add(call("of another thread", 3, 901));
  place();
  EXPECT_EQ(trackOf("between actions"), "cuda:1/CUDA calls");
  EXPECT_EQ(trackOf("of another thread"), "/CUDA calls");
}

TEST_F(KernelEvents, AThreadOfTwoDevicesIsNeithers) {
  claim(1, 0, 0, 0);
  claim(2, 1, 0, 0);
  for (const std::uint32_t correlation : {1U, 2U, 3U}) {
    m_records.add(call("call " + std::to_string(correlation), correlation, 900));
  }
  place();
  EXPECT_EQ(trackOf("call 1"), "cuda:0/CUDA calls");
  EXPECT_EQ(trackOf("call 2"), "cuda:1/CUDA calls");
  EXPECT_EQ(trackOf("call 3"), "/CUDA calls");
}

TEST_F(KernelEvents, ASynchronisationIsWhereItsCallIs) {
  claim(1, 0, 0, 0);
  m_records.add(call("launch", 1, 900));
  m_records.add(call("cudaStreamSynchronize", 2, 900));
  HostWork wait = call("Stream Sync", 2, 0);
  wait.kind = HostWork::Kind::Synchronization;
  wait.startNs += 1;
  m_records.add(wait);
  place();
  EXPECT_EQ(trackOf("Stream Sync"), "cuda:0/CUDA calls");
  EXPECT_EQ(find("Stream Sync")->category, trace::Category::Sync);
  EXPECT_THAT(flows(), ElementsAre("cudaStreamSynchronize -> Stream Sync"));
}

TEST_F(KernelEvents, OverheadLaunchesNothing) {
  HostWork overhead = call("Lazy Function Loading", 4, 0);
  overhead.kind = HostWork::Kind::Overhead;
  overhead.startNs += 20;
  m_records.add(call("cudaLaunchKernel", 4, 900));
  m_records.add(overhead);
  m_records.add(kernel("k", 4));
  place();
  EXPECT_THAT(flows(), ElementsAre("cudaLaunchKernel -> k"));
  EXPECT_EQ(trackOf("Lazy Function Loading"), "/CUPTI overhead");
  EXPECT_EQ(find("Lazy Function Loading")->categoryWord, "overhead");
}

TEST_F(KernelEvents, WhatTheSessionItselfDoesAtItsStopIsNotShown) {
  HostWork own = call("cudaDeviceSynchronize", 4, 900);
  own.startNs = static_cast<std::uint64_t>(kTime.stoppedNs);
  own.endNs = own.startNs + 10;
  m_records.add(own);
  DeviceWork tail = kernel("tail");
  tail.endNs = static_cast<std::uint64_t>(kTime.stoppedNs) + 1000;
  m_records.add(tail);
  place();
  EXPECT_EQ(trackOf("cudaDeviceSynchronize"), "");
  EXPECT_EQ(m_report.dropped, 0U);
  EXPECT_EQ(find("tail")->endNs(), kTime.stoppedNs + 1000 - kOrigin);
}

TEST_F(KernelEvents, TimesOfZeroAreCountedAndNotPlaced) {
  DeviceWork both = kernel("both");
  both.startNs = both.endNs = 0;
  DeviceWork start = kernel("start");
  start.startNs = 0;
  HostWork host = call("call", 1, 900);
  host.startNs = host.endNs = 0;
  m_records.add(both);
  m_records.add(start);
  m_records.add(host);
  m_records.add(kernel("good"));
  place();
  EXPECT_EQ(m_trace->size(), 1U);
  EXPECT_EQ(m_report.events, 1U);
  EXPECT_EQ(m_report.withoutTime, 3U);
  EXPECT_EQ(m_report.dropped, 3U);
  EXPECT_EQ(m_trace->droppedEvents(), 3U);
  EXPECT_THAT(m_report.problem, HasSubstr("3 without a time"));
}

TEST_F(KernelEvents, AKernelWithoutAnEndIsCutOff) {
  DeviceWork running = kernel("running");
  running.endNs = 0;
  m_records.add(running);
  place();
  EXPECT_EQ(m_trace->size(), 0U);
  EXPECT_EQ(m_report.cutOff, 1U);
  EXPECT_EQ(m_report.dropped, 1U);
  EXPECT_THAT(m_report.problem, HasSubstr("1 without an end"));
}

TEST_F(KernelEvents, TimesOfAnotherClockAreNotPlaced) {
  const auto at = [this](std::uint64_t startNs, std::uint64_t endNs) {
    DeviceWork work = kernel("wrong");
    work.startNs = startNs;
    work.endNs = endNs;
    m_records.add(work);
  };
  at(1'800'000'000'000'000'000, 1'800'000'000'000'000'100);  // CLOCK_REALTIME
  at(kInside + 100, kInside);                                // backwards
  at(1, 2);                                                  // long before
  at(kInside, std::numeric_limits<std::uint64_t>::max());
  at(std::numeric_limits<std::uint64_t>::max() - 1, std::numeric_limits<std::uint64_t>::max());
  place();
  EXPECT_EQ(m_trace->size(), 0U);
  EXPECT_EQ(m_report.wrongTime, 5U);
  EXPECT_EQ(m_trace->droppedEvents(), 5U);
}

TEST_F(KernelEvents, AnInexactClockIsForgiven) {
  DeviceWork early = kernel("early");
  early.startNs = static_cast<std::uint64_t>(kTime.startedNs) - 1000;
  DeviceWork late = kernel("late");
  late.endNs = static_cast<std::uint64_t>(kTime.drainedNs) + 1000;
  m_records.add(early);
  m_records.add(late);
  place();
  EXPECT_EQ(m_trace->size(), 2U);
  EXPECT_EQ(m_report.dropped, 0U);
}

TEST_F(KernelEvents, ARecordingRightAfterTheMachineStartedHasNoTimesBeforeZero) {
  m_config.originNs = 0;
  DeviceWork work = kernel("k");
  work.startNs = 1;
  work.endNs = 2;
  m_records.add(work);
  place({10, 20, 30});
  EXPECT_EQ(find("k")->startNs, 1);
}

TEST_F(KernelEvents, AKernelOfNoLengthIsStillAnEvent) {
  DeviceWork work = kernel("k");
  work.endNs = work.startNs;
  m_records.add(work);
  place();
  EXPECT_EQ(find("k")->durationNs, 0);
}

TEST_F(KernelEvents, WhatDidNotFitIsCounted) {
  m_records = KernelRecords(2);
  for (std::uint32_t i = 0; i < 5; ++i) {
    m_records.add(kernel("k", i + 1));
    m_records.add(call("call", i + 1, 900));
    claim(i + 1, 0, 0, 0);
  }
  m_records.addDropped(40);
  place();
  EXPECT_EQ(m_report.events, 4U);
  EXPECT_EQ(m_report.dropped, 46U);
  EXPECT_EQ(m_trace->droppedEvents(), 46U);
  EXPECT_THAT(m_report.problem, HasSubstr("46 lost in the buffers"));
  EXPECT_THAT(m_report.problem, HasSubstr("3 launches without a known action"));
}

TEST_F(KernelEvents, ANameThatIsNotInTheTableIsEmpty) {
  DeviceWork work = kernel("k");
  work.name = 12345;
  m_records.add(work);
  place();
  EXPECT_TRUE(find(""));
}

TEST_F(KernelEvents, EveryRecordIsEitherPlacedOrCounted) {
  std::mt19937_64 random(7);
  const auto pick = [&random](std::uint64_t below) { return random() % below; };
  const std::uint64_t times[] = {0,
                                 1,
                                 kInside,
                                 kInside + 7,
                                 static_cast<std::uint64_t>(kTime.stoppedNs) - 1,
                                 static_cast<std::uint64_t>(kTime.drainedNs),
                                 std::numeric_limits<std::uint64_t>::max()};
  m_config.devices = {"cuda:0/1of2", "cuda:0/2of2", "cuda:1", "cpu:0", ""};
  constexpr std::uint64_t kCount = 3000;
  m_records = KernelRecords(kCount - 10);
  for (std::uint32_t i = 0; i < 8; ++i) {
    m_records.add(GpuContext{i, static_cast<std::uint32_t>(pick(3)), 0, 0, pick(2) == 0});
  }
  for (std::uint64_t i = 0; i < kCount; ++i) {
    DeviceWork work = kernel("k" + std::to_string(pick(5)), static_cast<std::uint32_t>(pick(900)));
    work.kind = static_cast<DeviceWork::Kind>(pick(4));
    work.startNs = times[pick(std::size(times))];
    work.endNs = times[pick(std::size(times))];
    work.gpu = static_cast<std::uint32_t>(pick(4));
    work.context = static_cast<std::uint32_t>(pick(10));
    work.from = static_cast<std::uint32_t>(random());
    work.to = static_cast<std::uint32_t>(pick(3));
    m_records.add(work);
    HostWork host =
        call("c", static_cast<std::uint32_t>(pick(900)), static_cast<std::uint32_t>(pick(4)));
    host.kind = static_cast<HostWork::Kind>((pick(3) + 2) % 4);  // no DriverCall: may be merged
    m_records.add(host);
    m_records.add(ExternalId{static_cast<std::uint32_t>(pick(900)), random() >> pick(64)});
  }
  place();
  EXPECT_EQ(m_report.events + m_report.dropped, 2 * kCount);
  EXPECT_EQ(m_report.dropped,
            m_report.withoutTime + m_report.cutOff + m_report.wrongTime + m_records.dropped());
  EXPECT_EQ(m_trace->size(), m_report.events);
  EXPECT_EQ(m_trace->droppedEvents(), m_report.dropped);
  EXPECT_GE(m_trace->rangeNs().first, kTime.startedNs - kClockSlackNs - kOrigin);
  EXPECT_LE(m_trace->rangeNs().second, kTime.drainedNs + kClockSlackNs - kOrigin);
}

TEST(Demangled, LeavesAloneWhatIsNotMangled) {
  EXPECT_EQ(demangled("_Z3addPf"), "add(float*)");
  EXPECT_EQ(demangled("_ZN2at6native4fillIfEEvPT_"), "void at::native::fill<float>(float*)");
  EXPECT_EQ(demangled("ampere_sgemm_64x64_nn"), "ampere_sgemm_64x64_nn");
  EXPECT_EQ(demangled("_Znonsense"), "_Znonsense");
  EXPECT_EQ(demangled("_Z"), "_Z");
  EXPECT_EQ(demangled("i"), "i");
  EXPECT_EQ(demangled(""), "");
}

TEST(KernelRecords, GiveEqualNamesEqualNumbers) {
  KernelRecords records(10);
  const std::uint32_t first = records.nameNumber("_Z1av");
  EXPECT_EQ(records.nameNumber("b"), 1U);
  EXPECT_EQ(records.nameNumber("_Z1av"), first);
  EXPECT_THAT(records.names(), ElementsAre("a()", "b"));
}

}  // namespace
}  // namespace stagelane::capture::detail
