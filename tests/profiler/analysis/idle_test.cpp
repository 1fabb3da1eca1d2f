#include "profiler/analysis/idle.h"
#include "profiler/analysis/analyzer.h"

#include <gtest/gtest.h>

#include <random>

#include "engine/trace/trace_builder.h"
#include "tests/profiler/analysis/hand_made.h"

namespace stagelane::analysis {
namespace {

using test::breakDownFirst;
using test::causeOf;
using test::expectTiles;
using test::handMade;
using test::Line;
using trace::Category;

/// Two stages on two devices, two micro-batches; every wait has a known cause.
trace::TracePtr twoDevices() {
  return handMade(2, {{0, Category::Forward, 0, 0, 0, 100},
                      {0, Category::Forward, 0, 1, 100, 200},
                      {0, Category::RecvBackward, 0, 0, 400, 420, 1},
                      {0, Category::Backward, 0, 0, 430, 530},
                      {0, Category::RecvBackward, 0, 1, 640, 690, 1},
                      {0, Category::Backward, 0, 1, 700, 800},
                      {0, Category::Optimizer, 0, -1, 820, 830},
                      {1, Category::RecvForward, 1, 0, 100, 120, 0},
                      {1, Category::Forward, 1, 0, 130, 230},
                      {1, Category::Loss, 1, 0, 230, 240},
                      {1, Category::Backward, 1, 0, 250, 400},
                      {1, Category::RecvForward, 1, 1, 200, 225, 0},
                      {1, Category::Forward, 1, 1, 400, 500},
                      {1, Category::Loss, 1, 1, 500, 505},
                      {1, Category::Backward, 1, 1, 505, 640},
                      {1, Category::Optimizer, 1, -1, 650, 660}});
}

TEST(BreakDown, SaysEveryCauseOfTwoDevicesToTheNanosecond) {
  const StepBreakdown breakdown = breakDownFirst(*twoDevices());
  ASSERT_EQ(breakdown.wallNs(), 830);
  expectTiles(breakdown);
  EXPECT_EQ(causeOf(breakdown, 0, Cause::Forward), 200);
  EXPECT_EQ(causeOf(breakdown, 0, Cause::Backward), 200);
  EXPECT_EQ(causeOf(breakdown, 0, Cause::Optimizer), 10);
  EXPECT_EQ(causeOf(breakdown, 0, Cause::Starved), 310);
  EXPECT_EQ(causeOf(breakdown, 0, Cause::TransferWait), 70);
  EXPECT_EQ(causeOf(breakdown, 0, Cause::Host), 40);
  EXPECT_EQ(causeOf(breakdown, 0, Cause::Drain), 0);
  EXPECT_EQ(causeOf(breakdown, 1, Cause::Forward), 215);
  EXPECT_EQ(causeOf(breakdown, 1, Cause::Backward), 285);
  EXPECT_EQ(causeOf(breakdown, 1, Cause::Optimizer), 10);
  EXPECT_EQ(causeOf(breakdown, 1, Cause::Warmup), 130);
  EXPECT_EQ(causeOf(breakdown, 1, Cause::Host), 20);
  EXPECT_EQ(causeOf(breakdown, 1, Cause::Drain), 170);
  EXPECT_EQ(breakdown.devices[0].starvedBy,
            (std::vector<std::pair<std::int32_t, TimeNs>>{{1, 310}}));
}

TEST(BreakDown, PiecesNameTheEventsTheyStandFor) {
  const trace::TracePtr trace = twoDevices();
  const StepBreakdown breakdown = breakDownFirst(*trace);
  const std::vector<Piece>& pieces = breakdown.devices[0].pieces;
  const auto at = [&pieces](TimeNs startNs) {
    for (const Piece& piece : pieces) {
      if (piece.startNs == startNs) return piece;
    }
    return Piece{};
  };
  const auto view = [&trace](const Piece& piece) {
    return trace->event(static_cast<std::size_t>(piece.event));
  };
  EXPECT_EQ(at(200).cause, Cause::Starved);
  EXPECT_EQ(at(200).blamed, 1);
  EXPECT_EQ(view(at(200)).category, Category::Backward);
  EXPECT_EQ(view(at(200)).stage, StageId{1});
  EXPECT_EQ(view(at(400)).category, Category::RecvBackward);
  EXPECT_EQ(at(420).cause, Cause::Host);
  EXPECT_EQ(view(at(420)).startNs, 430);
}

TEST(BreakDown, WithoutReceivesTheProducersEndIsTheArrival) {
  const StepBreakdown breakdown =
      breakDownFirst(*handMade(2, {{0, Category::Forward, 0, 0, 0, 10},
                                   {0, Category::Forward, 0, 1, 10, 50},
                                   {1, Category::Forward, 1, 0, 12, 20},
                                   {1, Category::Forward, 1, 1, 55, 60}}));
  expectTiles(breakdown);
  EXPECT_EQ(causeOf(breakdown, 1, Cause::Starved), 30);
  EXPECT_EQ(causeOf(breakdown, 1, Cause::TransferWait), 0);
  EXPECT_EQ(causeOf(breakdown, 1, Cause::Host), 5);
}

TEST(BreakDown, AReceiveThatBeginsBeforeTheGapCountsFromTheGapsStart) {
  const StepBreakdown breakdown =
      breakDownFirst(*handMade(2, {{0, Category::Forward, 0, 0, 0, 5},
                                   {0, Category::Forward, 0, 1, 5, 15},
                                   {1, Category::Forward, 1, 0, 6, 20},
                                   {1, Category::RecvForward, 1, 1, 15, 30, 0},
                                   {1, Category::Forward, 1, 1, 31, 40}}));
  expectTiles(breakdown);
  EXPECT_EQ(causeOf(breakdown, 1, Cause::Starved), 0);
  EXPECT_EQ(causeOf(breakdown, 1, Cause::TransferWait), 10);
  EXPECT_EQ(causeOf(breakdown, 1, Cause::Host), 1);
}

TEST(BreakDown, AReceiveWithoutItsProducerBlamesThePeerUntilTheDataWasReady) {
  const StepBreakdown breakdown =
      breakDownFirst(*handMade(2, {{1, Category::Forward, 1, 0, 0, 10},
                                   {1, Category::RecvForward, 1, 1, 25, 30, 0},
                                   {1, Category::Forward, 1, 1, 30, 40}}));
  expectTiles(breakdown);
  EXPECT_EQ(causeOf(breakdown, 1, Cause::Starved), 15);
  EXPECT_EQ(causeOf(breakdown, 1, Cause::TransferWait), 5);
  EXPECT_EQ(breakdown.devices[1].starvedBy.front().first, 0);
}

TEST(BreakDown, AnUnknownProducerWithoutReceiveIsUnattributed) {
  const StepBreakdown breakdown = breakDownFirst(
      *handMade(1, {{0, Category::Forward, 1, 0, 0, 10}, {0, Category::Forward, 1, 1, 30, 40}}));
  EXPECT_EQ(causeOf(breakdown, 0, Cause::Unattributed), 20);
}

TEST(BreakDown, AProducerOnTheSameDeviceMeansTheHostWasLate) {
  const StepBreakdown breakdown = breakDownFirst(
      *handMade(1, {{0, Category::Forward, 0, 0, 0, 10}, {0, Category::Forward, 1, 0, 12, 20}}));
  EXPECT_EQ(causeOf(breakdown, 0, Cause::Host), 2);
}

TEST(BreakDown, OfSeveralProducersTakesTheLastThatEndedInTime) {
  const StepBreakdown breakdown =
      breakDownFirst(*handMade(3, {{0, Category::Forward, 0, 0, 0, 8},
                                   {1, Category::Forward, 0, 0, 0, 30},
                                   {2, Category::Forward, 1, 9, 0, 1},
                                   {2, Category::Forward, 1, 0, 20, 40}}));
  expectTiles(breakdown);
  EXPECT_EQ(causeOf(breakdown, 2, Cause::Starved), 7);
  EXPECT_EQ(breakdown.devices[2].starvedBy.front().first, 0);
  EXPECT_EQ(causeOf(breakdown, 2, Cause::Host), 12);
}

TEST(BreakDown, OverlappingBusyTimeCountsOnceForTheEventThatBeganFirst) {
  const StepBreakdown breakdown =
      breakDownFirst(*handMade(1, {{0, Category::Forward, 0, 0, 0, 10},
                                   {0, Category::Backward, 0, 0, 5, 20},
                                   {0, Category::BackwardWeight, 0, 0, 6, 8},
                                   {0, Category::BackwardInput, 0, 0, 20, 25},
                                   {0, Category::Backward, 0, 1, 20, 30}}));
  expectTiles(breakdown);
  EXPECT_EQ(causeOf(breakdown, 0, Cause::Forward), 10);
  EXPECT_EQ(causeOf(breakdown, 0, Cause::Backward), 20);
  EXPECT_EQ(causeOf(breakdown, 0, Cause::BackwardWeight), 0);
  EXPECT_EQ(causeOf(breakdown, 0, Cause::BackwardInput), 0);
}

TEST(BreakDown, ZeroLengthComputeIsNotBusyButItsWaitCounts) {
  const StepBreakdown breakdown = breakDownFirst(*handMade(2, {{0, Category::Forward, 0, 0, 0, 10},
                                                               {0, Category::Forward, 0, 1, 10, 50},
                                                               {1, Category::Forward, 1, 0, 10, 20},
                                                               {1, Category::Forward, 1, 1, 50, 50},
                                                               {1, Category::Loss, 1, 1, 60, 70}}));
  expectTiles(breakdown);
  EXPECT_EQ(causeOf(breakdown, 1, Cause::Starved), 30);
  EXPECT_EQ(causeOf(breakdown, 1, Cause::Host), 10);
  EXPECT_EQ(causeOf(breakdown, 1, Cause::Forward), 20);
}

TEST(BreakDown, ADeviceWithoutComputeIsWarmupUntilTheLastComputeThenTail) {
  trace::TraceBuilder builder;
  const std::int32_t busy = builder.device("a");
  static_cast<void>(builder.device("b"));
  builder.add({0, 10, "F0", Category::Forward,
               builder.track(busy, trace::TrackKind::Compute, "compute"), StageId{0},
               MicroBatchId{0}});
  builder.addStep({0, 0, -5, 15, false});
  const StepBreakdown breakdown = breakDownFirst(*std::move(builder).build());
  expectTiles(breakdown);
  EXPECT_EQ(causeOf(breakdown, 0, Cause::Warmup), 5);
  EXPECT_EQ(causeOf(breakdown, 0, Cause::Tail), 5);
  EXPECT_EQ(causeOf(breakdown, 1, Cause::Warmup), 15);
  EXPECT_EQ(causeOf(breakdown, 1, Cause::Tail), 5);
}

TEST(BreakDown, AReduceBeforeTheOptimizerIsTransferAndTheRestHost) {
  const StepBreakdown breakdown =
      breakDownFirst(*handMade(1, {{0, Category::Backward, 0, 0, 0, 10},
                                   {0, Category::Reduce, 0, -1, 12, 30},
                                   {0, Category::Optimizer, 0, -1, 31, 40}}));
  expectTiles(breakdown);
  EXPECT_EQ(causeOf(breakdown, 0, Cause::TransferWait), 18);
  EXPECT_EQ(causeOf(breakdown, 0, Cause::Host), 3);
}

TEST(BreakDown, WithoutStagesOnlyRecordsExplainAWait) {
  const StepBreakdown breakdown =
      breakDownFirst(*handMade(1, {{0, Category::Kernel, -1, -1, 0, 10},
                                   {0, Category::Copy, -1, -1, 5, 15},
                                   {0, Category::Copy, -1, -1, 12, 18},
                                   {0, Category::Sync, -1, -1, 16, 20},
                                   {0, Category::Kernel, -1, -1, 30, 40}}));
  expectTiles(breakdown);
  EXPECT_EQ(causeOf(breakdown, 0, Cause::Compute), 20);
  EXPECT_EQ(causeOf(breakdown, 0, Cause::TransferWait), 8);
  EXPECT_EQ(causeOf(breakdown, 0, Cause::Starved), 2);
  EXPECT_EQ(causeOf(breakdown, 0, Cause::Host), 0);
  EXPECT_EQ(causeOf(breakdown, 0, Cause::Unattributed), 10);
}

TEST(BreakDown, WithoutStagesACopyExplainsTheWaitsOfBothItsDevices) {
  const StepBreakdown breakdown =
      breakDownFirst(*handMade(2, {{0, Category::Kernel, -1, -1, 0, 10},
                                   {0, Category::Copy, -1, -1, 10, 25, 1},
                                   {0, Category::Kernel, -1, -1, 30, 40},
                                   {1, Category::Kernel, -1, -1, 0, 12},
                                   {1, Category::Kernel, -1, -1, 28, 40}}));
  test::expectTiles(breakdown);
  EXPECT_EQ(causeOf(breakdown, 0, Cause::TransferWait), 15);
  EXPECT_EQ(causeOf(breakdown, 0, Cause::Unattributed), 5);
  EXPECT_EQ(causeOf(breakdown, 1, Cause::TransferWait), 13);
  EXPECT_EQ(causeOf(breakdown, 1, Cause::Unattributed), 3);
}

TEST(BreakDown, AMemorySetIsNeitherComputeNorATransfer) {
  trace::TraceBuilder builder;
  const std::uint16_t stream =
      builder.track(builder.device("cuda:0"), trace::TrackKind::Kernels, "stream 7");
  const auto add = [&](TimeNs start, TimeNs end, const char* name, Category category,
                       const char* word) {
    trace::TraceBuilder::NewEvent event;
    event.startNs = start;
    event.durationNs = end - start;
    event.name = name;
    event.category = category;
    event.track = stream;
    event.bytes = 4096;
    event.categoryWord = word;
    builder.add(event);
  };
  add(0, 10, "gemm", Category::Kernel, "kernel");
  add(10, 14, "Memset (Device)", Category::Copy, "gpu_memset");
  add(14, 20, "Memcpy HtoD (Pinned -> Device)", Category::Copy, "gpu_memcpy");
  add(20, 30, "gemm", Category::Kernel, "kernel");
  add(24, 28, "Memset (Device)", Category::Copy, "gpu_memset");
  const trace::TracePtr trace = std::move(builder).build();
  const Analyzer analyzer(*trace);
  const StepBreakdown breakdown = analyzer.breakDown(stepsOf(*trace).front());
  expectTiles(breakdown);
  EXPECT_EQ(causeOf(breakdown, 0, Cause::Compute), 20);
  EXPECT_EQ(causeOf(breakdown, 0, Cause::TransferWait), 6) << "the copy alone";
  EXPECT_EQ(causeOf(breakdown, 0, Cause::Unattributed), 4);
  const TransferOverlap overlap = analyzer.transferOverlap(breakdown, 0);
  EXPECT_EQ(overlap.exposedNs, 6);
  EXPECT_EQ(overlap.hiddenNs, 0) << "a memory set beside a kernel hides no transfer";
}

TEST(BreakDown, AKernelOfNcclIsACollectiveAndNoCompute) {
  trace::TraceBuilder builder;
  const std::uint16_t stream =
      builder.track(builder.device("cuda:0"), trace::TrackKind::Kernels, "stream 7");
  builder.add({0, 10, "gemm", Category::Kernel, stream, {}, {}});
  builder.add({5, 20, "ncclDevKernel_AllReduce", Category::Kernel, stream, {}, {}});
  builder.add({30, 10, "gemm", Category::Kernel, stream, {}, {}});
  const StepBreakdown breakdown = breakDownFirst(*std::move(builder).build());
  expectTiles(breakdown);
  EXPECT_EQ(causeOf(breakdown, 0, Cause::Compute), 20);
  EXPECT_EQ(causeOf(breakdown, 0, Cause::TransferWait), 15);
  EXPECT_EQ(causeOf(breakdown, 0, Cause::Unattributed), 5);
}

/// As PyTorch records DDP over Gloo on CPUs: c10d's call on the main thread, the work on another.
void addGloo(trace::TraceBuilder& builder, std::int32_t device) {
  const std::uint16_t main = builder.track(device, trace::TrackKind::Other, "thread 1");
  const std::uint16_t gloo = builder.track(device, trace::TrackKind::Other, "thread 2");
  builder.add({0, 10, "aten::mm", Category::Operator, main, {}, {}});
  builder.add({10, 4, "c10d::allreduce_", Category::Operator, main, {}, {}});
  builder.add({16, 20, "gloo:all_reduce", Category::Other, gloo, {}, {}});
  builder.add({40, 10, "aten::add_", Category::Operator, main, {}, {}});
}

TEST(BreakDown, CollectivesOfACpusBackendsAreTransfers) {
  trace::TraceBuilder builder;
  addGloo(builder, builder.device("python"));
  const StepBreakdown breakdown = breakDownFirst(*std::move(builder).build());
  expectTiles(breakdown);
  EXPECT_EQ(causeOf(breakdown, 0, Cause::Compute), 20);
  EXPECT_EQ(causeOf(breakdown, 0, Cause::TransferWait), 24);
  EXPECT_EQ(causeOf(breakdown, 0, Cause::Unattributed), 6);
}

TEST(BreakDown, BesideAGpuWhatTheHostCallsIsNoDevice) {
  trace::TraceBuilder builder;
  const std::int32_t host = builder.device("python");
  addGloo(builder, host);
  const std::int32_t gpu = builder.device("cuda:0");
  const std::uint16_t stream = builder.track(gpu, trace::TrackKind::Kernels, "stream 7");
  builder.add({0, 50, "gemm", Category::Kernel, stream, {}, {}});
  const trace::TracePtr trace = std::move(builder).build();
  const Analyzer analyzer(*trace);
  EXPECT_TRUE(analyzer.isHost(static_cast<std::size_t>(host)));
  EXPECT_FALSE(analyzer.isHost(static_cast<std::size_t>(gpu)));
}

TEST(Analyzer, AProfilersOwnMarksAndCountersAreNoDevices) {
  trace::TraceBuilder builder;
  addGloo(builder, builder.device("python"));
  const std::int32_t spans = builder.device("process Spans");
  builder.add({0,
               60,
               "PyTorch Profiler (0)",
               Category::Other,
               builder.track(spans, trace::TrackKind::Other, "thread"),
               {},
               {}});
  const std::int32_t counted = builder.device("counted");
  builder.addCounter(builder.track(counted, trace::TrackKind::Counter, "power"), 1, 2.0, "W");
  const std::int32_t idle = builder.device("cpu:1");
  static_cast<void>(builder.track(idle, trace::TrackKind::Compute, "compute"));
  const trace::TracePtr trace = std::move(builder).build();
  const Analyzer analyzer(*trace);
  EXPECT_FALSE(analyzer.isHost(0));
  EXPECT_TRUE(analyzer.isHost(static_cast<std::size_t>(spans)));
  EXPECT_TRUE(analyzer.isHost(static_cast<std::size_t>(counted)));
  EXPECT_FALSE(analyzer.isHost(static_cast<std::size_t>(idle))) << "it could work";
}

TEST(BreakDown, KernelsUnderActionsDoNotCountTwice) {
  const StepBreakdown breakdown = breakDownFirst(
      *handMade(1, {{0, Category::Forward, 0, 0, 0, 10}, {0, Category::Kernel, -1, -1, 2, 30}}));
  EXPECT_EQ(breakdown.wallNs(), 10);
  EXPECT_EQ(causeOf(breakdown, 0, Cause::Compute), 0);
}

TEST(BreakDown, OfAnEmptyStepHasNoPieces) {
  const StepBreakdown breakdown = breakDown(*twoDevices(), {0, 0, 50, 50, false});
  expectTiles(breakdown);
  EXPECT_TRUE(breakdown.devices[0].pieces.empty());
}

TEST(BreakDown, TilesEveryStepOfRandomEvents) {
  std::mt19937 random(7);
  const auto draw = [&random](int below) {
    return static_cast<std::int32_t>(random() % static_cast<unsigned>(below));
  };
  for (int round = 0; round < 500; ++round) {
    std::vector<Line> lines;
    for (int count = draw(40); count > 0; --count) {
      const TimeNs start = draw(200);
      lines.push_back({draw(3), static_cast<Category>(draw(16)), draw(4) - 1, draw(4) - 1, start,
                       start + draw(30), draw(4) - 1});
    }
    const trace::TracePtr trace = handMade(3, lines);
    expectTiles(breakDownFirst(*trace));
    expectTiles(breakDown(*trace, {0, 0, 50, 120, false}));
    ASSERT_FALSE(testing::Test::HasFailure()) << "round " << round;
  }
}

TEST(StepsOf, TakesTheTracesOwnSteps) {
  trace::TraceBuilder builder;
  builder.addStep({2, 1, 5, 9, true});
  const trace::TracePtr trace = std::move(builder).build();
  ASSERT_EQ(stepsOf(*trace).size(), 1U);
  EXPECT_EQ(stepsOf(*trace)[0].repeat, 2);
}

TEST(StepsOf, WithoutStepsReachesFromTheEarliestActionToTheLatestOptimizerEnd) {
  const trace::TracePtr trace = handMade(2, {{0, Category::RecvForward, 0, 0, 3, 5},
                                             {0, Category::Optimizer, 0, -1, 10, 20},
                                             {1, Category::Backward, 1, 0, 10, 90},
                                             {1, Category::Operator, -1, -1, 0, 99}});
  const std::vector<trace::Step> steps = stepsOf(*trace);
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_EQ(steps[0].startNs, 3);
  EXPECT_EQ(steps[0].endNs, 20);
}

TEST(StepsOf, AnEmptyTraceHasNone) { EXPECT_TRUE(stepsOf(*trace::TraceBuilder().build()).empty()); }

TEST(MedianStep, IsTheLowerMiddleOfTheTimedOnes) {
  const auto step = [](TimeNs length, bool extra) { return trace::Step{0, 0, 0, length, extra}; };
  EXPECT_EQ(medianStep({}), 0U);
  EXPECT_EQ(medianStep({step(9, false), step(1, false), step(5, false)}), 2U);
  EXPECT_EQ(medianStep({step(9, false), step(1, false)}), 1U);
  EXPECT_EQ(medianStep({step(1, true), step(7, false), step(9, false)}), 1U);
  EXPECT_EQ(medianStep({step(3, true)}), 0U);
}

TEST(IdleSentence, NamesTheCausesAndTheirPercentsAddUp) {
  const trace::TracePtr trace = twoDevices();
  const StepBreakdown breakdown = breakDownFirst(*trace);
  EXPECT_EQ(idleSentence(*trace, breakdown, 0),
            "d0 idle 51 %: 37 starved by d1, 9 transfer, 5 host");
  EXPECT_EQ(idleSentence(*trace, breakdown, 1), "d1 idle 39 %: 16 warm-up, 21 drain, 2 host");
  EXPECT_EQ(idleSentence(*trace, breakdown, 9), "");
}

TEST(IdleParts, SumToTheIdleTimeAndNameWhoStarved) {
  const trace::TracePtr trace = twoDevices();
  const StepBreakdown breakdown = breakDownFirst(*trace);
  const std::vector<IdlePart> parts = idleParts(*trace, breakdown, 0);
  TimeNs sum = 0;
  bool blamed = false;
  for (const IdlePart& part : parts) {
    sum += part.timeNs;
    blamed = blamed || (part.cause == Cause::Starved && part.by == "d1" && part.timeNs > 0);
  }
  EXPECT_EQ(sum, breakdown.devices[0].idleNs());
  EXPECT_TRUE(blamed);
  EXPECT_TRUE(idleParts(*trace, breakdown, 9).empty());
}

TEST(IdleSentence, OfABusyDeviceHasNoCauses) {
  const trace::TracePtr trace = handMade(1, {{0, Category::Forward, 0, 0, 0, 10}});
  EXPECT_EQ(idleSentence(*trace, breakDownFirst(*trace), 0), "d0 idle 0 %");
}

}  // namespace
}  // namespace stagelane::analysis
