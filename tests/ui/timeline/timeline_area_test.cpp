#include "ui/timeline/timeline_area.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stagelane::ui {
namespace {

using testing::ElementsAre;

/// A header, two tracks of 20 px and a counter below them.
TimelineLayout layoutOfTwoTracks() {
  TimelineLayout layout;
  double y = 0.0;
  const auto add = [&](RowKind kind, std::int32_t track, double height) {
    TimelineRow row;
    row.kind = kind;
    row.track = track;
    row.y = y;
    row.height = height;
    y += height;
    layout.rows.push_back(row);
  };
  add(RowKind::Header, -1, 20.0);
  add(RowKind::Actions, 0, 20.0);
  add(RowKind::Copies, 1, 20.0);
  add(RowKind::Counter, 2, 20.0);
  layout.height = y;
  return layout;
}

class AreaOfDrag : public testing::Test {
 protected:
  TimelineLayout layout = layoutOfTwoTracks();
  TimelinePane pane{&layout, 0.0, kTimelineRulerHeight, 80.0, false};
};

TEST_F(AreaOfDrag, TakesWholeRows) {
  const double y = kTimelineRulerHeight;
  const TimelineArea area = areaOf({10.0, 50.0, y + 30.0, y + 35.0}, pane);
  EXPECT_DOUBLE_EQ(area.top, 20.0);
  EXPECT_DOUBLE_EQ(area.bottom, 40.0);
  EXPECT_THAT(area.tracks, ElementsAre(0U));
}

TEST_F(AreaOfDrag, IsTheSameInEveryDirection) {
  const double y = kTimelineRulerHeight;
  const TimelineArea area = areaOf({50.0, 10.0, y + 45.0, y + 30.0}, pane);
  EXPECT_DOUBLE_EQ(area.fromNs, 10.0);
  EXPECT_DOUBLE_EQ(area.toNs, 50.0);
  EXPECT_THAT(area.tracks, ElementsAre(0U, 1U));
}

TEST_F(AreaOfDrag, AlongTheRulerMeansAllTracksWithoutCounters) {
  const TimelineArea area = areaOf({10.0, 50.0, 5.0, 60.0}, pane);
  EXPECT_DOUBLE_EQ(area.top, 0.0);
  EXPECT_DOUBLE_EQ(area.bottom, 80.0);
  EXPECT_THAT(area.tracks, ElementsAre(0U, 1U));
}

TEST_F(AreaOfDrag, FollowsTheScrollingOfItsPane) {
  pane.top = 20.0;
  const double y = kTimelineRulerHeight;
  EXPECT_THAT(areaOf({10.0, 50.0, y + 5.0, y + 5.0}, pane).tracks, ElementsAre(0U));
}

TEST(TimelineMeasure, IsAsLongInBothDirections) {
  EXPECT_EQ((TimelineMeasure{10.0, 35.2}.lengthNs()), 25);
  EXPECT_EQ((TimelineMeasure{35.2, 10.0}.lengthNs()), 25);
}

}  // namespace
}  // namespace stagelane::ui
