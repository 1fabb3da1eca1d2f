#include "engine/run/proof/gradient_check.h"
#include "tests/engine/run/cuts.h"

namespace stagelane::run {
namespace {

TEST(GradientCheckLong, IsBitEqualAtEveryCutOfResnet50) {
  EXPECT_EQ(test::expectBitEqualAtEveryCut("resnet50"), 21);
}

}  // namespace
}  // namespace stagelane::run
