#include "ui/timeline/timeline_gaps.h"

#include <gtest/gtest.h>

#include "tests/ui/tracks/timeline_sample.h"

namespace stagelane::ui {
namespace {

using trace::Category;

/// Gaps of cpu:0: [10 µs, 10.05 µs), [30 µs, 60 µs), [70 µs, 70.05 µs), [90 µs, 100 µs).
TimelineDataPtr wideAndNarrow() {
  return sample::dataOf(sample::traceOf({{{0, 10'000, Category::Forward, 0, 0},
                                          {10'050, 19'950, Category::Forward, 0, 1},
                                          {60'000, 10'000, Category::Backward, 0, 0},
                                          {70'050, 19'950, Category::Backward, 0, 1}}},
                                        100'000));
}

TimeNs startOf(const TimelineData& data, const std::optional<GapStep>& step) {
  return step ? data.spanOf(step->gap).first : -1;
}

TEST(NextGap, PassesOverWhatCannotBeSeenAndGoesAround) {
  const auto data = wideAndNarrow();
  ASSERT_EQ(data->gaps().size(), 4U);
  const TimeAxis axis(data->rangeNs(), 1000.0);  // 100 ns a pixel
  const auto first = nextGap(*data, axis, {}, 1);
  EXPECT_EQ(startOf(*data, first), 30'000);
  EXPECT_EQ(first->skipped, 1U);
  EXPECT_FALSE(first->zoom);
  const auto second = nextGap(*data, axis, first->gap, 1);
  EXPECT_EQ(startOf(*data, second), 90'000);
  const auto around = nextGap(*data, axis, second->gap, 1);
  EXPECT_EQ(startOf(*data, around), 30'000);
  EXPECT_EQ(startOf(*data, nextGap(*data, axis, around->gap, -1)), 90'000);
}

TEST(NextGap, PassesOverWhatTheLegendHides) {
  const auto data = wideAndNarrow();
  const TimeAxis axis(data->rangeNs(), 1000.0);
  const analysis::Cause last = data->step().devices[0].pieces.back().cause;
  LegendFilter filter;
  for (const analysis::Cause cause : data->idleCauses()) {
    if (cause != last) filter.hiddenCauses.push_back(cause);
  }
  ASSERT_FALSE(filter.hiddenCauses.empty());
  const auto only = nextGap(*data, axis, {}, 1, filter);
  EXPECT_EQ(startOf(*data, only), 90'000);
  EXPECT_EQ(only->skipped, 0U) << "what is hidden is not passed over as too narrow";
  filter.hiddenCauses.push_back(last);
  EXPECT_FALSE(nextGap(*data, axis, {}, 1, filter).has_value());
}

TEST(NextGap, VisitsThemAllWhereTheyCanBeSeen) {
  const auto data = wideAndNarrow();
  TimeAxis axis(data->rangeNs(), 1000.0);
  axis.show(9'000.0, 11'000.0);  // 2 ns a pixel
  const auto step = nextGap(*data, axis, {}, 1);
  EXPECT_EQ(startOf(*data, step), 10'000);
  EXPECT_EQ(step->skipped, 0U);
}

TEST(NextGap, ZoomsWhereNoneIsWideEnough) {
  const auto data = wideAndNarrow();
  const TimeAxis axis(data->rangeNs(), 1.0);  // all of it in a pixel
  const auto step = nextGap(*data, axis, {}, 1);
  EXPECT_EQ(startOf(*data, step), 10'000);
  EXPECT_TRUE(step->zoom);
  EXPECT_EQ(skippedText(*step), QString());
}

TEST(NextGap, BeginsAtWhatIsSelectedOrInView) {
  const auto data = wideAndNarrow();
  TimeAxis axis(data->rangeNs(), 1000.0);
  const TimelineTarget b1{.kind = TimelineTarget::Kind::Event, .event = 3, .device = 0};
  EXPECT_EQ(startOf(*data, nextGap(*data, axis, b1, 1)), 90'000);
  EXPECT_EQ(startOf(*data, nextGap(*data, axis, b1, -1)), 30'000);
  axis.show(62'000.0, 82'000.0);
  EXPECT_EQ(startOf(*data, nextGap(*data, axis, {}, 1)), 70'000);
}

TEST(NextGap, IsNothingWhereADeviceIsAlwaysBusy) {
  const auto data = sample::dataOf(sample::traceOf({{{0, 1000, Category::Forward, 0, 0}}}, 1000));
  EXPECT_FALSE(nextGap(*data, TimeAxis(1000, 100.0), {}, 1));
}

TEST(NextGap, SaysHowManyWerePassedOver) {
  EXPECT_TRUE(skippedText({.gap = {}, .zoom = false, .skipped = 3})
                  .startsWith(QStringLiteral("Skipped 3 gaps too narrow")));
}

}  // namespace
}  // namespace stagelane::ui
