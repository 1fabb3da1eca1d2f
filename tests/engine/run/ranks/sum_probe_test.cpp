#include "engine/run/ranks/sum_probe.h"

#include <gtest/gtest.h>

namespace stagelane::run {
namespace {

TEST(SumProbe, SumsTensorsOfAllSizesBetweenSeveralMembers) {
  for (const int members : {2, 3}) {
    auto probe = SumProbe::create(members);
    ASSERT_TRUE(probe) << describe(probe.error());
    for (const Bytes bytes : {Bytes{4}, Bytes{1} << 20, Bytes{1} << 10}) {
      const auto time = (*probe)->sum(bytes);
      ASSERT_TRUE(time) << describe(time.error());
      EXPECT_GT(*time, 0);
    }
  }
}

}  // namespace
}  // namespace stagelane::run
