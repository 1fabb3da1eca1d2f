#include "ui/kit/text/label_places.h"

#include <gtest/gtest.h>

namespace stagelane::ui {
namespace {

TEST(LabelPlaces, TheFirstThatCoversNothingIsTaken) {
  const QRectF right(10, 0, 20, 10);
  const QRectF left(-30, 0, 20, 10);
  EXPECT_EQ(calmestPlace({right, left}, {}), right);
  EXPECT_EQ(calmestPlace({right, left}, {{QRectF(25, 5, 5, 5), 1.0}}), left);
}

TEST(LabelPlaces, WhereAllCoverSomethingTheLeastBadIsTaken) {
  const QRectF right(0, 0, 10, 10);
  const QRectF left(20, 0, 10, 10);
  const std::vector<Obstacle> obstacles{{QRectF(0, 0, 4, 10), 1.0}, {QRectF(20, 0, 1, 10), 10.0}};
  EXPECT_EQ(calmestPlace({right, left}, obstacles), right);
  EXPECT_EQ(calmestPlace({left, right}, obstacles), right);
}

}  // namespace
}  // namespace stagelane::ui
