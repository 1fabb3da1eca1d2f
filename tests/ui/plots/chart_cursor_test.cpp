#include "ui/plots/chart_cursor.h"

#include <gtest/gtest.h>

namespace stagelane::ui {
namespace {

constexpr ChartItems kItems{3, 2};

ChartCursor bar(int index) { return {ChartPlace::Bar, index}; }
ChartCursor legend(int index) { return {ChartPlace::Legend, index}; }

TEST(ChartCursors, EnterAtTheFirstBar) {
  for (const auto step : {ChartStep::Left, ChartStep::Right, ChartStep::Up, ChartStep::Down}) {
    EXPECT_EQ(moved({}, step, kItems), bar(0));
  }
  EXPECT_EQ(moved({}, ChartStep::Right, {}), ChartCursor{});
}

TEST(ChartCursors, WalkTheBarsAndStayAtTheirEnds) {
  EXPECT_EQ(moved(bar(0), ChartStep::Right, kItems), bar(1));
  EXPECT_EQ(moved(bar(1), ChartStep::Down, kItems), bar(2));
  EXPECT_EQ(moved(bar(2), ChartStep::Right, kItems), bar(2));
  EXPECT_EQ(moved(bar(2), ChartStep::Up, kItems), bar(1));
  EXPECT_EQ(moved(bar(0), ChartStep::Left, kItems), bar(0));
  EXPECT_EQ(moved(bar(0), ChartStep::Last, kItems), bar(2));
  EXPECT_EQ(moved(bar(2), ChartStep::First, kItems), bar(0));
}

TEST(ChartCursors, GoUpIntoTheLegendAndDownOutOfIt) {
  EXPECT_EQ(moved(bar(0), ChartStep::Up, kItems), legend(0));
  EXPECT_EQ(moved(bar(0), ChartStep::Up, {3, 0}), bar(0));
  EXPECT_EQ(moved(legend(0), ChartStep::Right, kItems), legend(1));
  EXPECT_EQ(moved(legend(1), ChartStep::Right, kItems), legend(1));
  EXPECT_EQ(moved(legend(1), ChartStep::Up, kItems), legend(1));
  EXPECT_EQ(moved(legend(1), ChartStep::Down, kItems), bar(0));
}

TEST(ChartCursors, AreNowhereOnceTheirPlaceIsGone) {
  EXPECT_EQ(kept(bar(2), kItems), bar(2));
  EXPECT_EQ(kept(bar(2), {2, 2}), ChartCursor{});
  EXPECT_EQ(moved(bar(7), ChartStep::Right, kItems), bar(0));
}

TEST(ChartNotes, StandBesideTheirBarInsideThePicture) {
  const QRectF area(0, 0, 400, 200);
  const QSizeF size(100, 40);
  const QRectF left(20, 100, 30, 80);
  EXPECT_GE(notePlace(left, size, area).left(), left.right());
  const QRectF right(360, 100, 30, 80);
  EXPECT_LE(notePlace(right, size, area).right(), right.left());
  const QRectF wideRow(10, 20, 380, 18);
  EXPECT_GE(notePlace(wideRow, size, area).top(), wideRow.bottom());
  const QRectF lowRow(10, 170, 380, 18);
  EXPECT_LE(notePlace(lowRow, size, area).bottom(), lowRow.top());
  for (const QRectF& mark : {left, right, wideRow, lowRow}) {
    const QRectF note = notePlace(mark, size, area);
    EXPECT_TRUE(area.contains(note));
    EXPECT_FALSE(note.intersects(mark));
  }
}

}  // namespace
}  // namespace stagelane::ui
