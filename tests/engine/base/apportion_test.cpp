#include "engine/base/apportion.h"

#include <gtest/gtest.h>

namespace stagelane {
namespace {

TEST(Apportioned, DealsOutEveryUnitByLargestRemainder) {
  EXPECT_EQ(apportioned({1, 1, 1}, 100), (std::vector<std::int64_t>{34, 33, 33}));
  EXPECT_EQ(apportioned({0, 0}, 100), (std::vector<std::int64_t>{0, 0}));
  EXPECT_EQ(apportioned({5, 3}, 0), (std::vector<std::int64_t>{0, 0}));
}

TEST(RoundedBusyAndIdle, TotalIsWhatItIsAlone) {
  // Rounded all together, 33.64 would be the largest remainder: 33.7 busy and 66.3 idle.
  EXPECT_EQ(roundedBusyAndIdle({3364}, {2212, 2212, 2212}, 1),
            (std::vector<double>{33.6, 22.2, 22.1, 22.1}));
  EXPECT_EQ(roundedBusyAndIdle({1000, 2364}, {6636}, 1), (std::vector<double>{10.0, 23.6, 66.4}));
}

TEST(RoundedBusyAndIdle, HoldsForStepsThatAreAllOfOneKind) {
  EXPECT_EQ(roundedBusyAndIdle({7}, {0, 0}, 1), (std::vector<double>{100.0, 0.0, 0.0}));
  EXPECT_EQ(roundedBusyAndIdle({0}, {}, 1), (std::vector<double>{0.0}));
}

}  // namespace
}  // namespace stagelane
