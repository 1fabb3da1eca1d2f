// VGG-16 has half a gigabyte of weights, which go through files; see torchvision_test.cpp.

#include "tests/engine/run/torchvision_case.h"

namespace stagelane::run {
namespace {

TEST(Torchvision, ComputesVgg16) {
  test::expectSame({"vgg16", 64, 2, plan::LossKind::CrossEntropy, 1e-5});
}

}  // namespace
}  // namespace stagelane::run
