#include "ui/tracks/timeline_ends.h"

#include <gtest/gtest.h>

#include "tests/ui/tracks/timeline_sample.h"

namespace stagelane::ui {
namespace {

using trace::Category;

constexpr double kHeight = 24.0;

TimelineDataPtr measuredAndPredicted(TimeNs measured, TimeNs predicted) {
  const auto step = [](TimeNs length) {
    return sample::traceOf({{{0, length, Category::Forward, 0, 0}}}, length);
  };
  return sample::dataOf(step(measured), step(predicted));
}

TEST(RulerEnds, StandLeftOfTheirLinesAndNeverOverOneAnother) {
  for (const TimeNs predicted : {50'000'000, 99'000'000, 100'000'000, 101'000'000, 160'000'000}) {
    const auto data = measuredAndPredicted(100'000'000, predicted);
    const TimeAxis axis(data->rangeNs(), 900.0);
    const auto ends = rulerEnds(*data, axis, 0, kHeight);
    ASSERT_EQ(ends.size(), 2U) << predicted;
    EXPECT_EQ(ends[0].predicted, predicted > 100'000'000);
    EXPECT_LE(ends[1].rect.right() + 4.0, ends[0].rect.left());
    for (const RulerEnd& end : ends) {
      const double line = axis.xOf(static_cast<double>(end.predicted ? predicted : 100'000'000));
      EXPECT_LE(end.rect.right(), line) << predicted;
      EXPECT_GE(end.rect.left(), 0.0);
    }
  }
}

TEST(RulerEnds, SayBothLengths) {
  const auto data = measuredAndPredicted(328'000'000, 322'000'000);
  const auto ends = rulerEnds(*data, TimeAxis(data->rangeNs(), 900.0), 0, kHeight);
  ASSERT_EQ(ends.size(), 2U);
  EXPECT_EQ(ends[0].text, QStringLiteral("328 ms"));
  EXPECT_EQ(ends[1].text, QStringLiteral("predicted 322 ms"));
}

TEST(RulerEnds, AreLeftOutWhereTheLineIsOutOfSightOrThereIsNoRoom) {
  const auto data = measuredAndPredicted(100'000'000, 60'000'000);
  TimeAxis axis(data->rangeNs(), 900.0);
  axis.show(50e6, 70e6);
  const auto zoomed = rulerEnds(*data, axis, 0, kHeight);
  ASSERT_EQ(zoomed.size(), 1U);
  EXPECT_TRUE(zoomed[0].predicted);
  // Moved to the first difference, the end is outside the view.
  EXPECT_TRUE(rulerEnds(*data, axis, 30'000'000, kHeight).empty());
  EXPECT_LE(rulerEnds(*data, TimeAxis(data->rangeNs(), 60.0), 0, kHeight).size(), 1U);
}

TEST(RulerEnds, OfAMeasurementAloneIsOne) {
  const auto data = sample::dataOf(sample::twoWorkers());
  const auto ends = rulerEnds(*data, TimeAxis(data->rangeNs(), 900.0), 0, kHeight);
  ASSERT_EQ(ends.size(), 1U);
  EXPECT_EQ(ends[0].text, QStringLiteral("100 µs"));
}

}  // namespace
}  // namespace stagelane::ui
