#include "ui/plan/lanes/boundary_labels.h"

#include <gtest/gtest.h>

namespace stagelane::ui {
namespace {

constexpr qreal kLeast = 180.0, kMost = 1000.0;

/// A bar between the first two lanes.
BoundaryBar bar(qreal x) { return {x, 0, 1, 100.0, 14.0, 120.0, 50.0}; }

using Labels = std::vector<std::optional<BoundaryLabel>>;

Labels labelsOf(const std::vector<BoundaryBar>& bars) {
  return boundaryLabels(bars, kLeast, kMost, {});
}

TEST(BoundaryLabels, LieLeftOfTheirBarWithAllWords) {
  const Labels labels = labelsOf({bar(400), bar(700)});
  ASSERT_TRUE(labels[0] && labels[1]);
  EXPECT_EQ(labels[0]->rect, QRectF(272, 100, 120, 14));
  EXPECT_FALSE(labels[0]->brief);
  EXPECT_EQ(labels[1]->rect.right(), 692);
}

TEST(BoundaryLabels, GoToTheRightWhereTheHeadersAre) {
  EXPECT_EQ(labelsOf({bar(200)})[0]->rect.left(), 208);
}

TEST(BoundaryLabels, OfCloseCutsLieOnNoOtherBarAndOnNoOtherLabel) {
  for (const qreal apart : {20.0, 60.0, 70.0, 100.0, 130.0, 200.0}) {
    const std::vector<BoundaryBar> bars{bar(400), bar(400 + apart), bar(400 + 2 * apart)};
    const Labels labels = labelsOf(bars);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      for (std::size_t j = 0; labels[i] && j < labels.size(); ++j) {
        const QRectF& rect = labels[i]->rect;
        EXPECT_FALSE(bars[j].x > rect.left() && bars[j].x < rect.right()) << apart << i << j;
        EXPECT_FALSE(i != j && labels[j] && labels[j]->rect.intersects(rect)) << apart << i << j;
      }
    }
    EXPECT_TRUE(labels[0]) << apart;
    EXPECT_TRUE(labels[2]) << "there is room on its right: " << apart;
  }
}

TEST(BoundaryLabels, SayTheBytesAloneBeforeTheySayNothing) {
  const Labels labels = labelsOf({bar(400), bar(470), bar(540)});
  ASSERT_TRUE(labels[1]);
  EXPECT_TRUE(labels[1]->brief);
  EXPECT_FALSE(labelsOf({bar(400), bar(420), bar(440)})[1]);
}

TEST(BoundaryLabels, OfOtherLanesAreInNobodysWay) {
  BoundaryBar below = bar(410);
  below.upper = 1;
  below.lower = 2;
  below.labelTop = 200.0;
  const Labels labels = labelsOf({bar(400), below});
  EXPECT_EQ(labels[1]->rect.right(), 402);
}

TEST(BoundaryLabels, AreNotOnWhatIsThereAlready) {
  const Labels labels = boundaryLabels({bar(400)}, kLeast, kMost, {QRectF(300, 90, 44, 24)});
  EXPECT_EQ(labels[0]->rect.left(), 408);
}

TEST(BoundaryLabels, AreNotThereInsideALane) {
  BoundaryBar inside = bar(400);
  inside.lower = 0;
  EXPECT_FALSE(labelsOf({inside})[0]);
}

}  // namespace
}  // namespace stagelane::ui
