#include "engine/run/device/kernel_architectures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stagelane::run {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// What the wheel torch 2.11.0 for CUDA 13 reports.
constexpr const char* kOfTheWheel =
    "  - CUDA Runtime 13.0\n  - NVCC architecture flags: -gencode;arch=compute_75,code=sm_75;"
    "-gencode;arch=compute_80,code=sm_80;-gencode;arch=compute_86,code=sm_86;"
    "-gencode;arch=compute_90,code=sm_90;-gencode;arch=compute_100,code=sm_100;"
    "-gencode;arch=compute_120,code=sm_120\n  - CuDNN 91.9\n";

TEST(KernelArchitectures, AreReadFromTheOptionsOfTheCompiler) {
  EXPECT_THAT(kernelArchitectures(kOfTheWheel),
              ElementsAre("sm_75", "sm_80", "sm_86", "sm_90", "sm_100", "sm_120"));
  EXPECT_THAT(kernelArchitectures("-gencode;arch=compute_90a,code=sm_90a;"
                                  "-gencode arch=compute_90,code=[sm_90,compute_90]"),
              ElementsAre("sm_90a", "sm_90", "compute_90"));
  EXPECT_THAT(kernelArchitectures("CUDA Runtime 13.0"), IsEmpty());
}

TEST(KernelArchitectures, MachineCodeRunsOnItsMajorVersionFromItsMinorOn) {
  const auto wheel = kernelArchitectures(kOfTheWheel);
  for (const auto& [major, minor] :
       {std::pair{7, 5}, {8, 0}, {8, 6}, {8, 7}, {8, 9}, {9, 0}, {10, 0}, {10, 3}, {12, 1}}) {
    EXPECT_TRUE(runsOneOf(wheel, major, minor)) << major << "." << minor;
  }
  for (const auto& [major, minor] : {std::pair{5, 2}, {6, 1}, {7, 0}, {7, 2}, {11, 0}, {13, 0}}) {
    EXPECT_FALSE(runsOneOf(wheel, major, minor)) << major << "." << minor;
  }
}

TEST(KernelArchitectures, CodeForTheDriverRunsOnAllLaterGpus) {
  EXPECT_TRUE(runsOneOf({"compute_80"}, 8, 0));
  EXPECT_TRUE(runsOneOf({"compute_80"}, 12, 0));
  EXPECT_FALSE(runsOneOf({"compute_80"}, 7, 5));
}

TEST(KernelArchitectures, CodeForOneVersionRunsOnNoOther) {
  EXPECT_TRUE(runsOneOf({"sm_90a"}, 9, 0));
  EXPECT_FALSE(runsOneOf({"sm_100a"}, 10, 3));
  EXPECT_FALSE(runsOneOf({"compute_90a"}, 10, 0));
  EXPECT_TRUE(runsOneOf({"compute_100f"}, 10, 3));
  EXPECT_FALSE(runsOneOf({"compute_100f"}, 12, 0));
}

TEST(KernelArchitectures, UnknownOnesExcludeNothing) { EXPECT_TRUE(runsOneOf({}, 6, 1)); }

}  // namespace
}  // namespace stagelane::run
