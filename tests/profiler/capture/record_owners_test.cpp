#include "profiler/capture/record_owners.h"

#include <gtest/gtest.h>

namespace stagelane::capture::detail {
namespace {

TEST(GpuOf, ReadsTheNumberOfAGpuOrAPartition) {
  EXPECT_EQ(gpuOf("cuda:0"), 0U);
  EXPECT_EQ(gpuOf("cuda:12"), 12U);
  EXPECT_EQ(gpuOf("cuda:3/2of4"), 3U);
  for (const char* const other : {"", "cuda", "cuda:", "cuda:x", "cuda:1x", "cpu:0", "cuda:-1",
                                  "cuda:99999999999", "sim:0"}) {
    EXPECT_EQ(gpuOf(other), kNoNumber) << other;
  }
}

}  // namespace
}  // namespace stagelane::capture::detail
