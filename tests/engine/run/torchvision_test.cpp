// Compares the models with PyTorch's and torchvision's own: the same seed gives the same weights
// and data to the last bit, and the same weights and data give the same outputs and gradients.
//
// Outputs and gradients are compared within a tolerance, not bit for bit, because two processes may
// choose different oneDNN kernels and thus a different order of sums. 1e-5 of a tensor's largest
// value is about eighty roundings of float32; a wrong operator, stride or scale gives errors of the
// order of 1. ResNet-50 is compared in float64: its 1x1 convolutions use other kernels than
// PyTorch's in float32 (see operators.cpp), and batch norm over so few values amplifies roundings
// without bound.

#include "tests/engine/run/torchvision_case.h"

namespace stagelane::run {
namespace {

using test::Case;

class Torchvision : public ::testing::TestWithParam<Case> {};

TEST_P(Torchvision, ComputesTheSame) { test::expectSame(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Models, Torchvision,
    ::testing::Values(Case{"toy", 0, 20, plan::LossKind::MeanSquaredError, 1e-6},
                      Case{"net", 0, 4, plan::LossKind::MeanSquaredError, 1e-6},
                      Case{"resnet18", 64, 2, plan::LossKind::MeanSquaredError, 1e-5},
                      Case{"resnet18", 64, 2, plan::LossKind::CrossEntropy, 1e-5},
                      Case{"resnet50", 64, 2, plan::LossKind::MeanSquaredError, 1e-10, at::kDouble},
                      Case{"gpt", 8, 3, plan::LossKind::CrossEntropy, 1e-5},
                      Case{"gpt-tied-dropout", 16, 3, plan::LossKind::CrossEntropy, 1e-12,
                           at::kDouble}),
    test::nameOf);

}  // namespace
}  // namespace stagelane::run
