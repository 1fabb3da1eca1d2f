#include "ui/timeline/trace_overview.h"

#include <gtest/gtest.h>

#include "engine/trace/trace_builder.h"
#include "tests/ui/tracks/timeline_sample.h"

namespace stagelane::ui {
namespace {

using trace::Category;
using trace::TrackKind;

/// Steps of 100 µs, 1 s apart, the device busy in the first half of each; the last one is extra and
/// has operators.
trace::TracePtr steps(int count) {
  trace::TraceBuilder builder;
  const auto device = builder.device("cpu:0");
  const auto track = builder.track(device, TrackKind::Compute, "compute");
  const auto operators = builder.track(device, TrackKind::Operators, "operators");
  const auto add = [&](std::uint16_t on, TimeNs start, TimeNs duration, Category category) {
    trace::TraceBuilder::NewEvent event;
    event.startNs = start;
    event.durationNs = duration;
    event.name = "F0";
    event.category = category;
    event.track = on;
    builder.add(event);
  };
  for (int i = 0; i < count; ++i) {
    const TimeNs at = i * TimeNs{1'000'000'000};
    add(track, at, 50'000, Category::Forward);
    const bool last = i + 1 == count;
    if (last) add(operators, at + 100, 20'000, Category::Operator);
    builder.addStep({.repeat = i, .startNs = at, .endNs = at + 100'000, .extra = last});
  }
  return std::move(builder).build();
}

TraceOverview overview(const trace::TracePtr& trace, std::size_t shown) {
  const TimelineData data(trace, shown, nullptr);
  return overviewOf(data, trace->steps(), shown);
}

TEST(TraceOverview, GivesTheShownStepHalfOfTheStripAndTheOthersTheRest) {
  const TraceOverview strip = overview(steps(5), 2);
  ASSERT_EQ(strip.segments.size(), 5U);
  ASSERT_NE(strip.shown(), nullptr);
  EXPECT_EQ(strip.shown()->step, 2);
  EXPECT_NEAR(strip.shown()->right - strip.shown()->left, 0.5 * (1.0 - 4 * 0.012), 1e-9);
  double before = 0.0;
  for (const OverviewSegment& segment : strip.segments) {
    EXPECT_GE(segment.left, before);
    EXPECT_GT(segment.right, segment.left);
    before = segment.right;
  }
  EXPECT_EQ(strip.segments.back().right, 1.0);
  EXPECT_EQ(strip.at(0.5)->step, 2);
  EXPECT_EQ(strip.at(0.0)->step, 0);
  EXPECT_EQ(strip.at(1.0)->step, 4);
}

TEST(TraceOverview, NamesTheRepeatThatNoTimeIsTakenFrom) {
  const TraceOverview strip = overview(steps(2), 0);
  ASSERT_EQ(strip.segments.size(), 2U);
  EXPECT_FALSE(strip.segments[0].extra);
  EXPECT_TRUE(strip.segments[1].extra);
  EXPECT_EQ(strip.segments[1].name, QStringLiteral("extra repeat with operators, not timed"));
}

TEST(TraceOverview, SaysHowBusyTheOtherStepsWere) {
  const TraceOverview strip = overview(steps(2), 0);
  EXPECT_TRUE(strip.segments[0].busy.empty());
  ASSERT_EQ(strip.segments[1].busy.size(), 1U);
  const std::vector<float>& busy = strip.segments[1].busy[0];
  EXPECT_FLOAT_EQ(busy.front(), 1.0F);
  EXPECT_FLOAT_EQ(busy.back(), 0.0F);
  double sum = 0.0;
  for (const float share : busy) sum += static_cast<double>(share);
  EXPECT_NEAR(sum / static_cast<double>(busy.size()), 0.5, 1e-6);
}

TEST(TraceOverview, OfOneStepOrOfTheWholeTraceHasNothingBesideIt) {
  const TraceOverview one = overview(steps(1), 0);
  ASSERT_EQ(one.segments.size(), 1U);
  EXPECT_TRUE(one.segments[0].shown);
  const trace::TracePtr trace = steps(3);
  const TimelineData whole(trace, TimelineData::kWholeTrace, nullptr);
  EXPECT_EQ(overviewOf(whole, trace->steps(), TimelineData::kWholeTrace).segments.size(), 1U);
}

TEST(TraceOverview, KeepsManyStepsInTheStrip) {
  const TraceOverview strip = overview(steps(300), 10);
  EXPECT_GT(strip.shown()->right - strip.shown()->left, 0.44);
  for (const OverviewSegment& segment : strip.segments) {
    EXPECT_GE(segment.left, 0.0);
    EXPECT_LE(segment.right, 1.0 + 1e-9);
  }
}

TEST(OverviewRows, ShowEveryDeviceHoweverManyThereAre) {
  for (const std::size_t devices : {1U, 2U, 3U, 20U, 21U, 22U, 200U, 3000U}) {
    const OverviewRows rows(devices, 42.0);
    std::size_t next = 0;
    for (std::size_t row = 0; row < rows.count(); ++row) {
      const auto [first, end] = rows.devicesOf(row);
      EXPECT_EQ(first, next);
      EXPECT_GT(end, first);
      next = end;
      const auto [top, tall] = rows.barOf(row, 1.0);
      EXPECT_GE(tall, 1.9) << devices;
      EXPECT_GE(top, 0.0);
      EXPECT_LE(top + tall, 42.0 + 1e-9);
      EXPECT_GE(rows.barOf(row, 0.01).second, 1.0) << devices;
      EXPECT_EQ(rows.barOf(row, 0.0).second, 0.0);
    }
    EXPECT_EQ(next, devices);
  }
  EXPECT_EQ(OverviewRows(0, 42.0).count(), 0U);
}

}  // namespace
}  // namespace stagelane::ui
