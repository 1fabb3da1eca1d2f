#include "ui/plan/plan_model/chain_layout.h"

#include <gtest/gtest.h>

#include "ui/plan/lanes/lanes_geometry.h"

namespace stagelane::ui {
namespace {

ChainRequest fourBlocks() {
  ChainRequest request;
  request.names = {QStringLiteral("stem"), QStringLiteral("body.0"), QStringLiteral("body.1"),
                   QStringLiteral("head")};
  request.weights = {10.0, 40.0, 40.0, 10.0};
  request.groups = {{QStringLiteral("body"), 1, 2}};
  request.width = 1000;
  return request;
}

TEST(ChainLayout, AClosedGroupIsOneChipAsWideAsItsBlocks) {
  const ChainLayout layout = layoutChain(fourBlocks());
  ASSERT_EQ(layout.chips.size(), 3U);
  EXPECT_EQ(layout.chips[1].name, QStringLiteral("body"));
  EXPECT_TRUE(layout.chips[1].group);
  EXPECT_NEAR(layout.chips[1].width, (1000 - 4) * 0.8, 1e-6);
  EXPECT_NEAR(layout.width, 1000, 1e-6);
}

TEST(ChainLayout, AnOpenGroupShowsItsBlocks) {
  ChainRequest request = fourBlocks();
  request.openGroups.insert(QStringLiteral("body"));
  const ChainLayout layout = layoutChain(request);
  ASSERT_EQ(layout.chips.size(), 4U);
  EXPECT_EQ(layout.chips[2].name, QStringLiteral("body.1"));
  EXPECT_TRUE(layout.groups[0].open);
  EXPECT_NEAR(layout.groups[0].width, layout.chips[2].x + layout.chips[2].width - layout.chips[1].x,
              1e-6);
}

TEST(ChainLayout, NoChipIsNarrowerThanTheMinimumAndAllFillTheWidth) {
  ChainRequest request = fourBlocks();
  request.weights = {0.0, 1000.0, 1000.0, 0.001};
  const ChainLayout layout = layoutChain(request);
  EXPECT_EQ(layout.clamped, 2);
  EXPECT_NEAR(layout.chips.front().width, 18, 1e-6);
  EXPECT_NEAR(layout.width, 1000, 1e-6);
}

TEST(ChainLayout, TooLittleRoomMakesTheChainWiderThanTheView) {
  ChainRequest request = fourBlocks();
  request.width = 30;
  const ChainLayout layout = layoutChain(request);
  EXPECT_EQ(layout.clamped, 3);
  EXPECT_NEAR(layout.width, 3 * 18 + 2 * 2, 1e-6);
}

TEST(ChainLayout, WithoutWeightsAllChipsAreAlike) {
  ChainRequest request = fourBlocks();
  request.weights = {0.0, 0.0, 0.0, 0.0};
  const ChainLayout layout = layoutChain(request);
  EXPECT_NEAR(layout.chips[0].width, layout.chips[1].width, 1e-6);
  EXPECT_EQ(layout.clamped, 0);
}

TEST(ChainLayout, AnEmptyChainIsEmpty) { EXPECT_TRUE(layoutChain({}).chips.empty()); }

TEST(ChainLayout, ACutLiesBetweenChipsAndInsideAClosedGroup) {
  const ChainLayout layout = layoutChain(fourBlocks());
  const ChipPlace& body = layout.chips[1];
  EXPECT_NEAR(layout.cutX(1), body.x - 1, 1e-6);
  EXPECT_NEAR(layout.cutX(2), body.x + body.width / 2, 1e-6);
}

TEST(LaneStack, APointBetweenLanesBelongsToTheNearerOne) {
  const LaneStack lanes{56, 72, 28, 2};
  EXPECT_EQ(lanes.laneAt(60), 0);
  EXPECT_EQ(lanes.laneAt(56 + 72 + 13), 0);
  EXPECT_EQ(lanes.laneAt(56 + 72 + 15), 1);
  EXPECT_EQ(lanes.laneAt(20), std::nullopt);
  EXPECT_EQ(lanes.laneAt(500), std::nullopt);
  EXPECT_EQ((LaneStack{56, 72, 28, 0}).laneAt(60), std::nullopt);
}

TEST(LanesGeometry, AChipKeepsItsXOnEveryLane) {
  const LanesGeometry geometry = LanesGeometry::make(fourBlocks(), 2, 1200);
  const QRectF upper = geometry.chipRect(1, 0);
  const QRectF lower = geometry.chipRect(1, 1);
  EXPECT_EQ(upper.x(), lower.x());
  EXPECT_LT(upper.bottom(), lower.top());
  const auto hit =
      geometry.chipAt(lower.center(), [](const ChipPlace&) { return std::vector<int>{1}; });
  EXPECT_EQ(hit, 1U);
  EXPECT_EQ(geometry.chipAt(upper.center(), [](const ChipPlace&) { return std::vector<int>{1}; }),
            std::nullopt);
}

}  // namespace
}  // namespace stagelane::ui
