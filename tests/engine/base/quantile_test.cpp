#include "engine/base/quantile.h"

#include <gtest/gtest.h>

namespace stagelane {
namespace {

TEST(Quantile, InterpolatesBetweenOrderStatistics) {
  EXPECT_DOUBLE_EQ(quantile({}, 0.5), 0.0);
  EXPECT_DOUBLE_EQ(quantile({3.0}, 0.25), 3.0);
  EXPECT_DOUBLE_EQ(quantile({4.0, 1.0, 2.0, 3.0}, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(quantile({1.0, 2.0, 3.0, 4.0, 5.0}, 0.25), 2.0);
  EXPECT_DOUBLE_EQ(quantile({1.0, 2.0, 4.0}, 0.99), 3.96);
  EXPECT_EQ(quantile({1.0, 2.0, 4.0}, 1.0), 4.0);
  EXPECT_EQ(quantile({7.0}, 0.99), 7.0);
}

}  // namespace
}  // namespace stagelane
