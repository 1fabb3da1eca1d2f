#include "profiler/analysis/analyzer.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "engine/trace/trace_builder.h"
#include "tests/profiler/analysis/brute_force.h"
#include "tests/profiler/analysis/hand_made.h"

namespace stagelane::analysis {
namespace {

using test::handMade;
using test::Line;
using trace::Category;

/// Random events of all kinds with small times, so that touching, overlapping, nested and
/// zero-length ones are frequent.
class RandomTraces {
 public:
  explicit RandomTraces(unsigned seed) : m_random(seed) {}

  trace::TracePtr next() {
    std::vector<Line> lines;
    const bool actionsOnly = below(2) == 0;
    for (int count = below(36); count > 0; --count) {
      const TimeNs start = below(80);
      const auto category = static_cast<Category>(actionsOnly ? below(11) : below(16));
      lines.push_back({below(3), category, below(4) - 1, below(3) - 1, start,
                       start + (below(4) == 0 ? 0 : below(25)), below(4) - 1});
    }
    return handMade(3, lines);
  }
  std::int32_t below(int limit) {
    return static_cast<std::int32_t>(m_random() % static_cast<unsigned>(limit));
  }

 private:
  std::mt19937 m_random;
};

TEST(Analyzer, AgreesWithBruteForceInEveryNanosecond) {
  RandomTraces traces(11);
  for (int round = 0; round < 1500; ++round) {
    const trace::TracePtr trace = traces.next();
    const Analyzer analyzer(*trace);
    const TimeNs start = traces.below(60);
    for (const trace::Step& step :
         {trace::Step{0, 0, -2, 110, false},
          trace::Step{0, 0, start, start + 1 + traces.below(40), false}}) {
      const StepBreakdown breakdown = analyzer.breakDown(step);
      test::expectTiles(breakdown);
      for (std::int32_t device = 0; device < 3; ++device) {
        ASSERT_EQ(test::momentsOf(breakdown, device), test::bruteForce(*trace, step, device))
            << "round " << round << " device " << device << " step " << step.startNs;
      }
    }
  }
}

/// Whether the path tiles the step.
void expectPath(const StepBreakdown& breakdown, const std::vector<PathPiece>& path) {
  TimeNs cursor = breakdown.step.startNs;
  for (const PathPiece& piece : path) {
    ASSERT_EQ(piece.startNs, cursor);
    ASSERT_LT(piece.startNs, piece.endNs);
    ASSERT_GE(piece.device, 0);
    cursor = piece.endNs;
  }
  ASSERT_EQ(cursor, breakdown.step.endNs);
}

TEST(Analyzer, ThePathTilesTheStepOfAnyTrace) {
  RandomTraces traces(5);
  for (int round = 0; round < 1500; ++round) {
    const trace::TracePtr trace = traces.next();
    const Analyzer analyzer(*trace);
    const TimeNs start = traces.below(60);
    const StepBreakdown breakdown =
        analyzer.breakDown({0, 0, start, start + traces.below(60), false});
    expectPath(breakdown, analyzer.criticalPath(breakdown));
    ASSERT_FALSE(testing::Test::HasFailure()) << "round " << round;
  }
}

TEST(Analyzer, OverlapAndBinsAgreeWithCountingNanoseconds) {
  RandomTraces traces(23);
  for (int round = 0; round < 400; ++round) {
    const trace::TracePtr trace = traces.next();
    const Analyzer analyzer(*trace);
    const trace::Step step{0, 0, traces.below(30), 40 + traces.below(70), false};
    const StepBreakdown breakdown = analyzer.breakDown(step);
    for (std::int32_t device = 0; device < 3; ++device) {
      const auto moments = test::momentsOf(breakdown, device);
      TransferOverlap expected;
      for (TimeNs timeNs = step.startNs; timeNs < step.endNs; ++timeNs) {
        bool moves = false;
        for (std::size_t number = 0; number < trace->size(); ++number) {
          const trace::EventView view = trace->event(number);
          const bool kind =
              view.category == Category::Copy ||
              (view.category >= Category::SendForward && view.category <= Category::Reduce &&
               view.category != Category::Optimizer);
          const trace::Transfer* const transfer = trace->transferOf(number);
          const bool reaches =
              view.category == Category::Copy && transfer != nullptr && transfer->peer == device;
          const bool own = trace->tracks()[view.track].device == device;
          moves |= kind && (own || reaches) && view.startNs <= timeNs && timeNs < view.endNs();
        }
        const bool busy = isBusy(moments[static_cast<std::size_t>(timeNs - step.startNs)].cause);
        expected.exposedNs += moves && !busy ? 1 : 0;
        expected.hiddenNs += moves && busy ? 1 : 0;
      }
      const auto index = static_cast<std::size_t>(device);
      const TransferOverlap overlap = analyzer.transferOverlap(breakdown, index);
      ASSERT_EQ(overlap.exposedNs, expected.exposedNs) << "round " << round;
      ASSERT_EQ(overlap.hiddenNs, expected.hiddenNs) << "round " << round;
      for (const std::size_t bins : {1U, 7U, 200U}) {
        const std::vector<TimeNs> busy = busyInBins(breakdown, index, bins);
        ASSERT_EQ(busy.size(), bins);
        ASSERT_EQ(std::accumulate(busy.begin(), busy.end(), TimeNs{0}),
                  breakdown.devices[index].busyNs());
        for (const TimeNs part : busy) ASSERT_LE(part, binNs(breakdown, bins));
      }
    }
  }
}

/// Two stages, two micro-batches; the path goes through both devices and one transfer.
TEST(Analyzer, FollowsTheAwaitedTensorToTheDeviceThatMadeIt) {
  const trace::TracePtr trace = handMade(2, {{0, Category::Forward, 0, 0, 0, 100},
                                             {0, Category::Forward, 0, 1, 100, 200},
                                             {0, Category::RecvBackward, 0, 0, 400, 420, 1},
                                             {0, Category::Backward, 0, 0, 430, 530},
                                             {0, Category::Optimizer, 0, -1, 530, 540},
                                             {1, Category::RecvForward, 1, 0, 100, 120, 0},
                                             {1, Category::Forward, 1, 0, 130, 230},
                                             {1, Category::Backward, 1, 0, 250, 400}});
  const Analyzer analyzer(*trace);
  const StepBreakdown breakdown = analyzer.breakDown({0, 0, 0, 550, false});
  const std::vector<PathPiece> path = analyzer.criticalPath(breakdown);
  expectPath(breakdown, path);
  struct Expected {
    TimeNs startNs, endNs;
    std::int32_t device;
    Cause cause;
  };
  const std::vector<Expected> expected = {
      {0, 100, 0, Cause::Forward},        {100, 120, 1, Cause::TransferWait},
      {120, 130, 1, Cause::Host},         {130, 230, 1, Cause::Forward},
      {230, 250, 1, Cause::Host},         {250, 400, 1, Cause::Backward},
      {400, 420, 0, Cause::TransferWait}, {420, 430, 0, Cause::Host},
      {430, 530, 0, Cause::Backward},     {530, 540, 0, Cause::Optimizer},
      {540, 550, 0, Cause::Tail}};
  ASSERT_EQ(path.size(), expected.size());
  for (std::size_t index = 0; index < path.size(); ++index) {
    EXPECT_EQ(path[index].startNs, expected[index].startNs) << index;
    EXPECT_EQ(path[index].endNs, expected[index].endNs) << index;
    EXPECT_EQ(path[index].device, expected[index].device) << index;
    EXPECT_EQ(path[index].cause, expected[index].cause) << index;
  }
}

TEST(Analyzer, StaysOnTheDeviceWhoseOwnWorkEndedLater) {
  const trace::TracePtr trace = handMade(2, {{0, Category::Forward, 0, 0, 0, 10},
                                             {0, Category::Forward, 0, 1, 10, 20},
                                             {1, Category::Forward, 1, 0, 10, 50},
                                             {1, Category::Forward, 1, 1, 50, 90}});
  const Analyzer analyzer(*trace);
  const StepBreakdown breakdown = analyzer.breakDown({0, 0, 0, 90, false});
  const std::vector<PathPiece> path = analyzer.criticalPath(breakdown);
  ASSERT_EQ(path.size(), 3U);
  EXPECT_EQ(path[0].device, 0);
  EXPECT_EQ(path[0].endNs, 10);
  EXPECT_EQ(path[1].device, 1);
  EXPECT_EQ(path[2].endNs, 90);
}

TEST(Analyzer, NamesTheDeviceThatTheOthersWaitFor) {
  const trace::TracePtr trace = handMade(3, {{0, Category::Forward, 0, 0, 0, 10},
                                             {0, Category::Forward, 0, 1, 10, 60},
                                             {1, Category::Forward, 1, 0, 10, 20},
                                             {1, Category::Forward, 1, 1, 60, 70},
                                             {2, Category::Forward, 2, 0, 20, 30},
                                             {2, Category::Forward, 2, 1, 70, 80}});
  const Analyzer analyzer(*trace);
  const Straggler straggler = stragglerOf(analyzer.breakDown({0, 0, 0, 80, false}));
  // d1 waits 40 for d0; d2 waits 40 for d1: the first of equals.
  EXPECT_EQ(straggler.device, 0);
  EXPECT_EQ(straggler.waitedNs, 40);
  const trace::TracePtr alone = handMade(1, {{0, Category::Forward, 0, 0, 0, 10}});
  EXPECT_EQ(stragglerOf(Analyzer(*alone).breakDown({0, 0, 0, 10, false})).device, -1);
}

TEST(Analyzer, GivesNothingForATraceWithoutDevices) {
  trace::TraceBuilder builder;
  const trace::TracePtr trace = std::move(builder).build();
  const Analyzer analyzer(*trace);
  const StepBreakdown breakdown = analyzer.breakDown({0, 0, 0, 10, false});
  EXPECT_TRUE(breakdown.devices.empty());
  EXPECT_TRUE(analyzer.criticalPath(breakdown).empty());
  EXPECT_EQ(stragglerOf(breakdown).waitedNs, 0);
}

/// Quadratic work would take hours here, so the test's time limit would fail it.
TEST(Analyzer, AnalysesAHundredThousandOverlappingEventsInFiftyThousandSteps) {
  constexpr std::int32_t kEvents = 100000;
  constexpr std::int32_t kSteps = 50000;
  trace::TraceBuilder builder;
  const std::int32_t device = builder.device("d");
  const std::uint16_t compute = builder.track(device, trace::TrackKind::Compute, "compute");
  const std::uint16_t copy = builder.track(device, trace::TrackKind::Copy, "copy");
  for (std::int32_t event = 0; event < kEvents; ++event) {
    const TimeNs start = TimeNs{event} * 10;
    // Each reaches over a tenth of the trace; every seventh is a short one inside the others.
    const TimeNs length = event % 7 == 0 ? 3 : 100000;
    builder.add({start, length, "F", Category::Forward, compute, StageId{event % 3},
                 MicroBatchId{event % 4}});
    builder.add({start, length, "c", Category::Copy, copy, StageId{}, MicroBatchId{}});
  }
  for (std::int32_t step = 0; step < kSteps; ++step) {
    builder.addStep({0, step, TimeNs{step} * 20, TimeNs{step} * 20 + 20, false});
  }
  const trace::TracePtr trace = std::move(builder).build();
  const Analyzer analyzer(*trace);
  TimeNs busyNs = 0;
  TimeNs pathNs = 0;
  for (const trace::Step& step : stepsOf(*trace)) {
    const StepBreakdown breakdown = analyzer.breakDown(step);
    busyNs += breakdown.devices[0].busyNs();
    pathNs += analyzer.criticalPath(breakdown).back().endNs - step.startNs;
    busyNs += analyzer.transferOverlap(breakdown, 0).exposedNs;
  }
  EXPECT_EQ(pathNs, TimeNs{kSteps} * 20);
  EXPECT_EQ(busyNs, TimeNs{kSteps} * 20 - 7);  // only a short one runs in [3, 10)
}

}  // namespace
}  // namespace stagelane::analysis
