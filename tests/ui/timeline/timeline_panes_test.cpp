#include "ui/timeline/timeline_panes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/ui/tracks/timeline_sample.h"

namespace stagelane::ui {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TimelinePanes panesOfTwoWorkers() {
  TimelinePanes panes;
  panes.setData(sample::dataOf(sample::twoWorkers()));
  return panes;
}

TimelineTarget firstEvent() {
  return {.kind = TimelineTarget::Kind::Event, .event = 0, .device = 0};
}

TEST(TimelinePanes, GivePinnedTracksTheRoomAboveTheOthers) {
  TimelinePanes panes = panesOfTwoWorkers();
  EXPECT_DOUBLE_EQ(panes.pinned().height, 0.0);
  const TimelinePane before = panes.scrolled(0.0, 300.0);
  EXPECT_DOUBLE_EQ(before.y, kTimelineRulerHeight);
  panes.togglePin(0);
  const TimelinePane after = panes.scrolled(0.0, 300.0);
  EXPECT_GT(panes.pinned().height, 0.0);
  EXPECT_DOUBLE_EQ(after.y, before.y + panes.pinned().height);
  EXPECT_DOUBLE_EQ(after.height, before.height - panes.pinned().height);
  panes.togglePin(0);
  EXPECT_THAT(panes.options().pinned, IsEmpty());
}

TEST(TimelinePanes, FindRowsWhereTheyAreScrolledTo) {
  const TimelinePanes panes = panesOfTwoWorkers();
  const TimelinePane pane = panes.scrolled(0.0, 300.0);
  const TimelineRow& second = pane.layout->rows[1];
  EXPECT_EQ(pane.rowAt(pane.y + second.y + 1.0), &second);
  EXPECT_EQ(panes.scrolled(second.y, 300.0).rowAt(pane.y + 1.0), &second);
  EXPECT_EQ(pane.rowAt(pane.y + panes.contentHeight() + 1.0), nullptr);
}

TEST(TimelinePanes, OpenADeviceForWhatIsLookedForInIt) {
  TimelinePanes panes = panesOfTwoWorkers();
  const double open = panes.contentHeight();
  const TimelineRow* header = panes.foldableRowOf({.kind = TimelineTarget::Kind::Gap, .device = 0});
  ASSERT_NE(header, nullptr);
  panes.toggleFold(*header);
  EXPECT_LT(panes.contentHeight(), open);
  const TimelineRow* row = panes.openRowOf(firstEvent());
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->track,
            static_cast<int>(sample::dataOf(sample::twoWorkers())->trace().event(0).track));
  EXPECT_DOUBLE_EQ(panes.contentHeight(), open);
}

TEST(TimelinePanes, KeepWhatIsPinnedForTheSameTracksAlone) {
  TimelinePanes panes = panesOfTwoWorkers();
  panes.setPredicted(false);
  panes.togglePin(0);
  panes.setData(sample::dataOf(sample::twoWorkers()));
  EXPECT_THAT(panes.options().pinned, ElementsAre(0));
  panes.setData(sample::dataOf(sample::traceOf({{{0, 10'000}}}, 100'000)));
  EXPECT_THAT(panes.options().pinned, IsEmpty());
  EXPECT_FALSE(panes.options().predicted) << "a choice of the toolbar stays";
}

}  // namespace
}  // namespace stagelane::ui
