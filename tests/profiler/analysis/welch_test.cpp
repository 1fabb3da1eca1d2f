#include <gtest/gtest.h>

#include <cmath>

#include "profiler/analysis/statistics.h"

namespace stagelane::analysis {
namespace {

TEST(WelchTest, HasTheClosedFormOfTwoDegreesOfFreedom) {
  const auto test = welchTest({0.0, 2.0}, {2.0, 4.0});
  ASSERT_TRUE(test);
  EXPECT_NEAR(test->t, std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(test->degreesOfFreedom, 2.0, 1e-12);
  EXPECT_NEAR(test->p, 1.0 - std::sqrt(2.0) / 2.0, 1e-12);  // 1 - t / sqrt(2 + t²)
}

TEST(WelchTest, AgreesWithTheTablesOfStudentsDistribution) {
  // Ten degrees of freedom: 5 % at 2.228138852, 1 % at 3.169272673.
  const std::vector<double> left = {0, 1, 2, 3, 4, 5};
  const double scale = std::sqrt(2.0 * 3.5 / 6.0);
  for (const auto& [t, p] : {std::pair{2.228138852, 0.05}, std::pair{3.169272673, 0.01}}) {
    std::vector<double> right = left;
    for (double& value : right) value += t * scale;
    const auto test = welchTest(left, right);
    ASSERT_TRUE(test);
    EXPECT_NEAR(test->degreesOfFreedom, 10.0, 1e-9);
    EXPECT_NEAR(test->p, p, 1e-9);
    EXPECT_NEAR(welchTest(right, left)->p, p, 1e-9);
  }
}

TEST(WelchTest, NeedsTwoValuesOnEachSideAndKnowsMissingSpread) {
  EXPECT_FALSE(welchTest({1.0}, {1.0, 2.0}));
  EXPECT_FALSE(welchTest({}, {}));
  EXPECT_EQ(welchTest({1.0, 1.0}, {1.0, 1.0})->p, 1.0);
  EXPECT_EQ(welchTest({1.0, 1.0}, {2.0, 2.0})->p, 0.0);
}

}  // namespace
}  // namespace stagelane::analysis
