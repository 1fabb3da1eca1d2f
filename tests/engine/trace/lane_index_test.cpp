#include "engine/trace/lane_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include "engine/trace/trace_builder.h"

namespace stagelane::trace {
namespace {

struct Slice {
  TimeNs start = 0;
  TimeNs duration = 0;
  Category category = Category::Kernel;
};

TracePtr traceOf(const std::vector<Slice>& slices) {
  TraceBuilder builder;
  const std::uint16_t track =
      builder.track(builder.device("cuda:0"), TrackKind::Kernels, "kernels");
  for (const Slice& slice : slices) {
    TraceBuilder::NewEvent event;
    event.startNs = slice.start;
    event.durationNs = slice.duration;
    event.name = "k";
    event.category = slice.category;
    event.track = track;
    builder.add(event);
  }
  return std::move(builder).build();
}

/// Busy time of a lane between two times, by looking at every event.
BusySums slowly(const Trace& trace, const LaneIndex& index, std::size_t lane, TimeNs from,
                TimeNs to) {
  BusySums sums{};
  for (std::size_t event = 0; event < trace.size(); ++event) {
    if (index.laneOf(event) != lane) continue;
    const EventView view = trace.event(event);
    const TimeNs busy = std::min(view.endNs(), to) - std::max(view.startNs, from);
    sums[static_cast<std::size_t>(view.category)] += std::max<TimeNs>(0, busy);
  }
  return sums;
}

BusySums quickly(const LaneIndex& index, std::size_t lane, TimeNs from, TimeNs to) {
  LaneCursor cursor(index, 1, lane);
  const BusySums before = cursor.busyBefore(from);
  BusySums sums = cursor.busyBefore(to);
  for (std::size_t kind = 0; kind < kCategoryCount; ++kind) sums[kind] -= before[kind];
  return sums;
}

std::vector<Slice> randomSlices(std::size_t count, TimeNs longest, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Slice> slices;
  for (std::size_t i = 0; i < count; ++i) {
    slices.push_back({static_cast<TimeNs>(random() % 100'000),
                      static_cast<TimeNs>(random()) % (longest + 1),
                      static_cast<Category>(random() % kCategoryCount)});
  }
  return slices;
}

TEST(LaneIndex, KnowsTheBusyTimeOfEveryLaneAndKindToTheNanosecond) {
  for (const TimeNs longest : {TimeNs{0}, TimeNs{30}, TimeNs{900}}) {
    const TracePtr trace = traceOf(randomSlices(2000, longest, 7));
    const LaneIndex index(trace);
    ASSERT_LT(index.laneCount(1), LaneIndex::kMostLanes);
    std::mt19937 random(3);
    for (int i = 0; i < 100; ++i) {
      const auto from = static_cast<TimeNs>(random() % 101'000) - 500;
      const TimeNs to = from + static_cast<TimeNs>(random() % 5000);
      const std::size_t lane = random() % index.laneCount(1);
      EXPECT_EQ(quickly(index, lane, from, to), slowly(*trace, index, lane, from, to));
    }
  }
}

TEST(LaneIndex, NeverPutsOverlappingEventsIntoOneLane) {
  const TracePtr trace = traceOf(randomSlices(3000, 300, 11));
  const LaneIndex index(trace);
  EXPECT_EQ(index.crowded(1), 0U);
  std::size_t seen = 0;
  for (std::size_t lane = 0; lane < index.laneCount(1); ++lane) {
    const LaneCursor cursor(index, 1, lane);
    for (std::size_t at = 0; at < cursor.count(); ++at, ++seen) {
      EXPECT_EQ(index.laneOf(cursor.eventAt(at)), lane);
      if (at > 0) {
        EXPECT_LE(cursor.endAt(at - 1), cursor.startAt(at));
      }
    }
  }
  EXPECT_EQ(seen, trace->size());
}

TEST(LaneIndex, FindsTheFirstEventThatReachesPastATime) {
  const TracePtr trace = traceOf(randomSlices(3000, 60, 5));
  const LaneIndex index(trace);
  for (std::size_t lane = 0; lane < index.laneCount(1); ++lane) {
    LaneCursor walking(index, 1, lane);
    for (TimeNs time = -10; time < 101'000; time += 97) {
      std::size_t expected = 0;
      while (expected < walking.count() && walking.endAt(expected) <= time &&
             walking.startAt(expected) < time) {
        ++expected;
      }
      ASSERT_EQ(walking.firstReaching(time), expected) << lane << " at " << time;
      ASSERT_EQ(LaneCursor(index, 1, lane).firstReaching(time), expected);
    }
    EXPECT_EQ(walking.firstReaching(-5), 0U) << "and it finds its way back";
  }
}

TEST(LaneIndex, TellsBusyTimeRoughlyWithoutLookingAtEvents) {
  std::vector<Slice> slices;
  for (TimeNs i = 0; i < 10'000; ++i) slices.push_back({i * 10, 5});
  const LaneIndex index(traceOf(slices));
  LaneCursor cursor(index, 1, 0);
  ASSERT_EQ(cursor.kinds(), std::vector{Category::Kernel});
  BusySums before{}, after{};
  cursor.spreadBefore(cursor.blockAt(20'003), 20'003, before);
  cursor.spreadBefore(cursor.blockAt(70'008), 70'008, after);
  EXPECT_NEAR(static_cast<double>(after[0] - before[0]), 25'000, 100);
  cursor.spreadBefore(cursor.blockAt(-1), -1, before);
  EXPECT_EQ(before[0], 0) << "before the first event";
  cursor.spreadBefore(cursor.blockAt(1'000'000), 1'000'000, after);
  EXPECT_EQ(after[0], 50'000) << "behind the last one";
}

TEST(LaneIndex, CountsWhatFindsNoLaneAndStillShowsItsBeginning) {
  std::vector<Slice> slices;
  for (TimeNs i = 0; i < 100; ++i) slices.push_back({i, 1000});
  const LaneIndex index(traceOf(slices));
  EXPECT_EQ(index.laneCount(1), LaneIndex::kMostLanes);
  EXPECT_EQ(index.crowded(1), 100 - LaneIndex::kMostLanes);
  LaneCursor last(index, 1, LaneIndex::kMostLanes - 1);
  EXPECT_EQ(last.count(), 1 + index.crowded(1));
  EXPECT_EQ(last.endAt(0), last.startAt(1));
  EXPECT_EQ(last.firstReaching(50), 50 - (LaneIndex::kMostLanes - 1));
  EXPECT_EQ(quickly(index, LaneIndex::kMostLanes - 1, 31,
                    100)[static_cast<std::size_t>(Category::Kernel)],
            69);
}

TEST(LaneIndex, TakesATraceWithoutEvents) {
  const LaneIndex index(traceOf({}));
  EXPECT_EQ(index.laneCount(1), 1U);
  LaneCursor cursor(index, 1, 0);
  EXPECT_EQ(cursor.firstReaching(5), 0U);
  EXPECT_EQ(quickly(index, 0, 0, 100), BusySums{});
}

TEST(LaneIndex, StaysUnderATenthOfTheTraceItself) {
  std::mt19937 random(1);
  std::vector<Slice> row, nested, mixed;
  for (TimeNs i = 0; i < 100'000; ++i) {
    row.push_back({i * 100, 80});
    mixed.push_back({i * 100, 80, static_cast<Category>(random() % kCategoryCount)});
  }
  for (TimeNs i = 0; i < 20'000; ++i) {
    for (TimeNs depth = 0; depth < 5; ++depth) {
      nested.push_back({i * 100 + depth, 90 - 2 * depth, Category::Operator});
    }
  }
  for (const auto& slices : {row, nested, mixed}) {
    const LaneIndex index(traceOf(slices));
    EXPECT_LE(static_cast<double>(index.bytes()) / static_cast<double>(slices.size()), 4.0);
  }
}

TEST(LaneIndex, ListsALaneWhoseEventsLieFarApart) {
  std::vector<Slice> slices;
  for (TimeNs i = 0; i < 300'000; ++i) slices.push_back({i * 10, 10});
  // Two that overlap others, with 200 000 events in between.
  slices.push_back({5, 10});
  slices.push_back({2'000'005, 10});
  const TracePtr trace = traceOf(slices);
  const LaneIndex index(trace);
  ASSERT_EQ(index.laneCount(1), 2U);
  LaneCursor second(index, 1, 1);
  EXPECT_EQ(quickly(index, 1, 0, 10'000'000), slowly(*trace, index, 1, 0, 10'000'000));
  EXPECT_EQ(index.laneOf(second.eventAt(second.count() - 1)), 1U);
}

TEST(CounterIndex, KnowsTheExtremesOfAnyStretch) {
  CounterSeries series;
  std::mt19937 random(2);
  for (TimeNs i = 0; i < 1000; ++i) {
    series.timesNs.push_back(i);
    series.values.push_back(static_cast<double>(random() % 1000) - 300.0);
  }
  const CounterIndex index(series);
  for (int i = 0; i < 200; ++i) {
    const std::size_t first = random() % 999;
    const std::size_t last = first + 1 + random() % (999 - first);
    const auto begin = series.values.begin();
    const auto found = index.between(first, last);
    EXPECT_EQ(found.most, *std::max_element(begin + static_cast<std::ptrdiff_t>(first),
                                            begin + static_cast<std::ptrdiff_t>(last)));
    EXPECT_EQ(found.least, *std::min_element(begin + static_cast<std::ptrdiff_t>(first),
                                             begin + static_cast<std::ptrdiff_t>(last)));
  }
  EXPECT_EQ(CounterIndex(CounterSeries{}).all().most, 0.0);
}

}  // namespace
}  // namespace stagelane::trace
