#include "ui/timeline/timeline_walk.h"

#include <gtest/gtest.h>

#include "tests/ui/tracks/timeline_sample.h"

namespace stagelane::ui {
namespace {

using trace::Category;

/// Two forwards and a backward on cpu:0 (events 0 to 2), a forward on cpu:1 (event 3).
TimelineDataPtr twoTracks() {
  return sample::dataOf(sample::traceOf({{{0, 10'000, Category::Forward, 0, 0},
                                          {20'000, 10'000, Category::Forward, 0, 1},
                                          {60'000, 10'000, Category::Backward, 0, 0}},
                                         {{30'000, 10'000, Category::Forward, 1, 0}}},
                                        100'000));
}

TimelineTarget event(std::size_t number) {
  return {.kind = TimelineTarget::Kind::Event, .event = number, .device = 0};
}

std::int64_t eventOf(const std::optional<TimelineTarget>& target) {
  return target ? static_cast<std::int64_t>(target->event) : -1;
}

TEST(NextOnTrack, GoesToAndFroAndStaysOnTheTrack) {
  const auto data = twoTracks();
  const TimeAxis axis(data->rangeNs(), 1000.0);
  EXPECT_EQ(eventOf(nextOnTrack(*data, axis, event(0), 1)), 1);
  EXPECT_EQ(eventOf(nextOnTrack(*data, axis, event(1), 1)), 2);
  EXPECT_EQ(eventOf(nextOnTrack(*data, axis, event(2), 1)), -1) << "cpu:1 is another track";
  EXPECT_EQ(eventOf(nextOnTrack(*data, axis, event(2), -1)), 1);
  EXPECT_EQ(eventOf(nextOnTrack(*data, axis, event(0), -1)), -1);
  EXPECT_EQ(eventOf(nextOnTrack(*data, axis, event(3), -1)), -1);
}

TEST(NextOnTrack, BeginsWithWhatIsInView) {
  const auto data = twoTracks();
  TimeAxis axis(data->rangeNs(), 1000.0);
  EXPECT_EQ(eventOf(nextOnTrack(*data, axis, {}, 1)), 0);
  axis.show(15'000.0, 90'000.0);
  EXPECT_EQ(eventOf(nextOnTrack(*data, axis, {}, -1)), 1);
  axis.show(25'000.0, 45'000.0);
  EXPECT_EQ(eventOf(nextOnTrack(*data, axis, {}, 1)), 3) << "of cpu:0 none begins there";
  axis.show(75'000.0, 95'000.0);
  EXPECT_EQ(eventOf(nextOnTrack(*data, axis, {}, 1)), -1);
}

TEST(NextOnTrack, PassesOverWhatTheLegendHides) {
  const auto data = twoTracks();
  const TimeAxis axis(data->rangeNs(), 1000.0);
  LegendFilter filter;
  setSwitchedOff(filter, Category::Forward, true);
  EXPECT_EQ(eventOf(nextOnTrack(*data, axis, {}, 1, filter)), 2);
  EXPECT_EQ(eventOf(nextOnTrack(*data, axis, event(2), -1, filter)), -1);
}

}  // namespace
}  // namespace stagelane::ui
