#include "engine/run/device/shared_limits.h"

#include <gtest/gtest.h>

namespace stagelane::run {
namespace {

constexpr Bytes kTotal = 1000;

TEST(SharedLimits, TheLimitOfTheGpuIsTheSumOfItsPartitions) {
  SharedLimits limits;
  limits.open(1);
  limits.open(2);
  limits.set(1, 100);
  limits.set(2, 300);
  EXPECT_EQ(limits.ofGpu(kTotal, 2), 400);
}

TEST(SharedLimits, APartitionWithoutALimitCountsAsItsShare) {
  SharedLimits limits;
  limits.open(1);
  limits.open(2);
  limits.set(1, 100);
  EXPECT_EQ(limits.ofGpu(kTotal, 4), 350);
}

TEST(SharedLimits, WithoutAnyLimitTheGpuHasNone) {
  SharedLimits limits;
  limits.open(1);
  limits.open(2);
  EXPECT_EQ(limits.ofGpu(kTotal, 2), 0);
  limits.set(1, 100);
  limits.set(1, 0);
  EXPECT_EQ(limits.ofGpu(kTotal, 2), 0);
}

TEST(SharedLimits, APartitionThatIsClosedCountsNoMore) {
  SharedLimits limits;
  limits.open(1);
  limits.open(2);
  limits.set(1, 100);
  limits.close(2);
  EXPECT_EQ(limits.ofGpu(kTotal, 2), 100);
}

TEST(SharedLimits, APartitionCountsUntilItsLastUserIsGone) {
  SharedLimits limits;
  limits.open(1);
  limits.open(1);
  limits.set(1, 100);
  limits.close(1);
  EXPECT_EQ(limits.ofGpu(kTotal, 2), 100);
  limits.close(1);
  EXPECT_EQ(limits.ofGpu(kTotal, 2), 0);
}

TEST(SharedLimits, IsAtMostTheMemoryOfTheGpu) {
  SharedLimits limits;
  limits.open(0);
  limits.set(0, 5000);
  EXPECT_EQ(limits.ofGpu(kTotal, 1), kTotal);
}

}  // namespace
}  // namespace stagelane::run
