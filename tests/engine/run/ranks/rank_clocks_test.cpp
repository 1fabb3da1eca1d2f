#include "engine/run/ranks/rank_clocks.h"

#include <gtest/gtest.h>

#include "tests/engine/run/ranks/rank_threads.h"

namespace stagelane::run {
namespace {

TEST(ClockEstimate, WithoutSamplesClocksAreEqual) {
  const ClockEstimate estimate;
  EXPECT_EQ(estimate.offsetNs(5), 0);
  EXPECT_EQ(estimate.toFirst(5), 5);
  EXPECT_EQ(estimate.errorNs(), 0);
}

TEST(ClockEstimate, OneSampleIsAConstantOffset) {
  ClockEstimate estimate;
  estimate.add({100, 5'000'000'000'000'123, 7});
  EXPECT_EQ(estimate.offsetNs(100), 5'000'000'000'000'123);
  EXPECT_EQ(estimate.offsetNs(90 * kSecondNs), 5'000'000'000'000'123);
  EXPECT_EQ(estimate.toFirst(5'000'000'000'000'223), 100);
  EXPECT_EQ(estimate.errorNs(), 7);
}

TEST(ClockEstimate, FindsOffsetAndDrift) {
  ClockEstimate estimate;
  for (TimeNs second = 0; second <= 10; ++second) {
    estimate.add({second * kSecondNs, 1'000'000 + second * 40'000, 1000});  // 40 ppm
  }
  EXPECT_NEAR(estimate.drift(), 40e-6, 1e-12);
  EXPECT_EQ(estimate.offsetNs(5 * kSecondNs), 1'200'000);
  EXPECT_EQ(estimate.offsetNs(20 * kSecondNs), 1'800'000);
  EXPECT_NEAR(static_cast<double>(estimate.toFirst(20 * kSecondNs + 1'800'000)), 20e9, 1);
}

TEST(ClockEstimate, SamplesCloseTogetherGiveNoDrift) {
  ClockEstimate estimate;
  estimate.add({0, 100, 10});
  estimate.add({kSecondNs / 2, 200, 10});
  EXPECT_EQ(estimate.drift(), 0);
  EXPECT_EQ(estimate.offsetNs(0), 150);
}

TEST(ClockEstimate, SamplesWithSmallErrorsCountMore) {
  ClockEstimate estimate;
  estimate.add({0, 0, 10});
  estimate.add({10, 10'000, 1000});
  EXPECT_LT(estimate.offsetNs(0), 5);
  EXPECT_EQ(estimate.errorNs(), 10);
}

TEST(CompareClocks, TheTruthIsWithinTheError) {
  asRanks(3, [](RankStore& store) {
    const auto group = groupOfAll(store);
    ASSERT_NE(group, nullptr);
    const auto samples = compareClocks(*group);
    ASSERT_TRUE(samples) << describe(samples.error());
    EXPECT_TRUE(group->barrier());
    if (store.rank() != 0) {
      EXPECT_TRUE(samples->empty());
      return;
    }
    ASSERT_EQ(samples->size(), 3U);
    for (std::size_t rank = 1; rank < 3; ++rank) {
      // Threads of one process have the same clock.
      EXPECT_LE(std::abs((*samples)[rank].offsetNs), (*samples)[rank].errorNs);
      EXPECT_GT((*samples)[rank].errorNs, 0);
      EXPECT_GT((*samples)[rank].atNs, 0);
    }
  });
}

}  // namespace
}  // namespace stagelane::run
