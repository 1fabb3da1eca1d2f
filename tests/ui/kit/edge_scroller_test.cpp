#include "ui/kit/edge_scroller.h"

#include <gtest/gtest.h>

namespace stagelane::ui {
namespace {

TEST(EdgeScroll, IsNoneInTheMiddleAndGrowsTowardsTheEdges) {
  EXPECT_EQ(edgeStep(150, 300), 0);
  EXPECT_EQ(edgeStep(kEdgeZone, 300), 0);
  EXPECT_EQ(edgeStep(kEdgeZone - 1, 300), -1);
  EXPECT_EQ(edgeStep(0, 300), -8);
  EXPECT_EQ(edgeStep(300 - kEdgeZone, 300), 0);
  EXPECT_EQ(edgeStep(300, 300), 8);
}

TEST(EdgeScroll, IsFastestOneZoneBeyondTheEdge) {
  EXPECT_EQ(edgeStep(300 + kEdgeZone, 300), 15);
  EXPECT_EQ(edgeStep(5000, 300), 15);
  EXPECT_EQ(edgeStep(-5000, 300), -15);
}

TEST(EdgeScroll, LeavesAMiddleInASmallView) {
  EXPECT_EQ(edgeStep(20, 40), 0);
  EXPECT_LT(edgeStep(5, 40), 0);
  EXPECT_GT(edgeStep(36, 40), 0);
}

}  // namespace
}  // namespace stagelane::ui
