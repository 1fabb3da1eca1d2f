#include "ui/session/prediction/cut_curve.h"

#include <gtest/gtest.h>

namespace stagelane::ui {
namespace {

PlanShape cutBefore(std::size_t block) {
  PlanShape shape{std::vector<DeviceId>(4), std::vector<bool>(4, false)};
  shape.stageBegins[0] = true;
  shape.stageBegins[block] = true;
  return shape;
}

const CutCurve kCurve{{1, 30, false}, {2, 10, true}, {3, 20, false}};

TEST(CutCurve, KnowsThePlansOwnCut) {
  EXPECT_EQ(cutOf(kCurve, cutBefore(3)), 2U);
  EXPECT_EQ(cutOf(kCurve, cutBefore(0)), std::nullopt) << "not cut";
}

TEST(CutCurve, TakesNoBestThatDoesNotFit) {
  EXPECT_EQ(bestCut(kCurve), 2U);
  EXPECT_EQ(bestCut({{1, 30, true}}), std::nullopt);
}

}  // namespace
}  // namespace stagelane::ui
