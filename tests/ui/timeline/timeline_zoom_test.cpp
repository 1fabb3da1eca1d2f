#include "ui/timeline/timeline_zoom.h"

#include <gtest/gtest.h>

namespace stagelane::ui {
namespace {

TimelineZoom zoomOf(TimeNs rangeNs) {
  TimelineZoom zoom;
  zoom.setRange(rangeNs);
  zoom.setWidth(100.0);
  return zoom;
}

TEST(TimelineZoom, UndoesItsStepsOneByOne) {
  TimelineZoom zoom = zoomOf(1000);
  EXPECT_FALSE(zoom.undo()) << "nothing was changed";
  zoom.show(100.0, 200.0);
  zoom.zoomAt(50.0, TimelineZoom::kStep);
  EXPECT_TRUE(zoom.undo());
  EXPECT_DOUBLE_EQ(zoom.axis().firstNs(), 100.0);
  EXPECT_DOUBLE_EQ(zoom.axis().lastNs(), 200.0);
  EXPECT_TRUE(zoom.undo());
  EXPECT_DOUBLE_EQ(zoom.axis().spanNs(), static_cast<double>(zoom.axis().rangeNs()));
  EXPECT_FALSE(zoom.undo());
}

TEST(TimelineZoom, DoesNotRememberPanning) {
  TimelineZoom zoom = zoomOf(1000);
  zoom.show(100.0, 200.0);
  zoom.panBy(10.0);
  EXPECT_TRUE(zoom.undo());
  EXPECT_DOUBLE_EQ(zoom.axis().spanNs(), static_cast<double>(zoom.axis().rangeNs()));
}

TEST(TimelineZoom, ForgetsAnotherStep) {
  TimelineZoom zoom = zoomOf(1000);
  zoom.show(100.0, 200.0);
  zoom.setRange(500);
  EXPECT_FALSE(zoom.undo());
  EXPECT_DOUBLE_EQ(zoom.axis().spanNs(), static_cast<double>(zoom.axis().rangeNs()));
}

TEST(TimelineZoom, StaysWhereTheStretchIsInViewAlready) {
  TimelineZoom zoom = zoomOf(1000);
  zoom.show(100.0, 200.0);
  const TimeAxis before = zoom.axis();
  zoom.bringIntoView(120.0, 180.0);
  EXPECT_EQ(zoom.axis(), before);
  zoom.bringIntoView(400.0, 420.0);
  EXPECT_DOUBLE_EQ(zoom.axis().spanNs(), 100.0) << "as close as before";
  EXPECT_LE(zoom.axis().firstNs(), 400.0);
  EXPECT_GE(zoom.axis().lastNs(), 420.0);
  zoom.bringIntoView(100.0, 700.0);
  EXPECT_DOUBLE_EQ(zoom.axis().spanNs(), 900.0) << "with some room around";
}

}  // namespace
}  // namespace stagelane::ui
