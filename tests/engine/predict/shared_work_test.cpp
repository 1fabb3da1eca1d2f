#include "engine/predict/shared_work.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

namespace stagelane::predict {
namespace {

using Times = std::vector<std::vector<double>>;

/// Of all ways of giving each piece to one device.
double bestOfAll(const Times& times, std::size_t piece = 0, std::vector<double> load = {}) {
  load.resize(times.size(), 0.0);
  if (piece == times.front().size()) return *std::max_element(load.begin(), load.end());
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t device = 0; device < times.size(); ++device) {
    std::vector<double> with = load;
    with[device] += times[device][piece];
    best = std::min(best, bestOfAll(times, piece + 1, std::move(with)));
  }
  return best;
}

TEST(LeastShare, OfDevicesAlikeIsAnEvenShare) {
  EXPECT_DOUBLE_EQ(leastShare({{3.0, 5.0}, {3.0, 5.0}}), 4.0);
}

TEST(LeastShare, OfDevicesThatDifferByAFactorIsByTheirSpeeds) {
  // Speeds 1 and 2: three times what the slow one does alone.
  EXPECT_DOUBLE_EQ(leastShare({{2.0, 4.0}, {1.0, 2.0}}), 2.0);
  EXPECT_DOUBLE_EQ(leastShare({{6.0, 6.0}, {3.0, 3.0}, {2.0, 2.0}}), 2.0);
}

TEST(LeastShare, OfADeviceThatTakesNoTimeIsNone) {
  EXPECT_DOUBLE_EQ(leastShare({{2.0, 4.0}, {0.0, 0.0}}), 0.0);
}

TEST(LeastShare, IsNeverMoreThanTheBestThatCanBeDone) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> time(0.1, 9.0);
  for (int round = 0; round < 200; ++round) {
    Times times(2 + static_cast<std::size_t>(round) % 2, std::vector<double>(6));
    for (auto& device : times) {
      for (double& piece : device) piece = time(random);
    }
    EXPECT_LE(leastShare(times), bestOfAll(times) + 1e-9);
  }
}

}  // namespace
}  // namespace stagelane::predict
