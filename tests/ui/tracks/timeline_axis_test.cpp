#include "ui/tracks/timeline_axis.h"

#include <gtest/gtest.h>

#include <cmath>

namespace stagelane::ui {
namespace {

TEST(TimeAxis, PutsTheEndOfWhatItShowsExactlyAtItsRightEdge) {
  for (TimeNs range = 336'100; range < 336'300; ++range) {
    const TimeAxis axis(range, 1184.0);
    EXPECT_EQ(axis.xOf(static_cast<double>(range)), 1184.0) << range;
  }
}

TEST(TimelineAxis, KeepsTheTimeUnderTheCursorWithinAPixelWhileZooming) {
  for (const double x : {0.0, 1.0, 333.0, 640.0, 999.0}) {
    TimeAxis axis(1'000'000'000, 1000.0);
    for (int i = 0; i < 60; ++i) {
      const double before = axis.timeAt(x);
      axis.zoomAt(x, 1.25);
      EXPECT_NEAR(axis.xOf(before), x, 1.0) << "at zoom " << i;
    }
  }
}

TEST(TimelineAxis, StopsAtTenNanosecondsAndAtTheWholeRange) {
  TimeAxis axis(1'000'000, 500.0);
  for (int i = 0; i < 200; ++i) axis.zoomAt(250.0, 2.0);
  EXPECT_DOUBLE_EQ(axis.spanNs(), TimeAxis::kMinimumSpanNs);
  for (int i = 0; i < 200; ++i) axis.zoomAt(10.0, 0.5);
  EXPECT_DOUBLE_EQ(axis.spanNs(), 1'000'000.0);
  EXPECT_DOUBLE_EQ(axis.firstNs(), 0.0);
}

TEST(TimelineAxis, PansOnlyInsideItsRange) {
  TimeAxis axis(1000, 100.0);
  axis.show(400.0, 500.0);
  axis.panBy(-1e9);
  EXPECT_DOUBLE_EQ(axis.firstNs(), 0.0);
  axis.panBy(1e9);
  EXPECT_DOUBLE_EQ(axis.lastNs(), 1000.0);
  EXPECT_DOUBLE_EQ(axis.spanNs(), 100.0);
}

TEST(TimelineAxis, SurvivesAnEmptyRangeAndNoWidth) {
  TimeAxis axis(0, 0.0);
  axis.zoomAt(0.0, 10.0);
  axis.panBy(5.0);
  axis.show(5.0, -5.0);
  EXPECT_GT(axis.spanNs(), 0.0);
  EXPECT_TRUE(std::isfinite(axis.xOf(0.5)));
  EXPECT_FALSE(ticksOf(axis, 80.0).empty());
}

TEST(TimelineAxis, PutsTicksAtRoundTimesInOneUnit) {
  const TimeAxis axis(300'000'000, 600.0);
  const std::vector<Tick> ticks = ticksOf(axis, 80.0);
  ASSERT_EQ(ticks.size(), 7U);
  EXPECT_EQ(ticks[0].label, QStringLiteral("0 ms"));
  EXPECT_EQ(ticks[1].label, QStringLiteral("50 ms"));
  EXPECT_EQ(ticks[6].label, QStringLiteral("300 ms"));
  for (std::size_t i = 1; i < ticks.size(); ++i) {
    EXPECT_GE(axis.xOf(ticks[i].timeNs) - axis.xOf(ticks[i - 1].timeNs), 80.0);
  }
}

TEST(TimelineAxis, WritesEnoughDigitsToTellTicksApart) {
  TimeAxis axis(1'000'000'000, 800.0);
  for (int i = 0; i < 40; ++i) {
    const std::vector<Tick> ticks = ticksOf(axis, 80.0);
    for (std::size_t k = 1; k < ticks.size(); ++k) {
      EXPECT_NE(ticks[k].label, ticks[k - 1].label) << "at zoom " << i;
    }
    axis.zoomAt(400.0, 1.7);
  }
}

}  // namespace
}  // namespace stagelane::ui
