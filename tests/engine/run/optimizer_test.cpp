#include "engine/run/detail/optimizer.h"

#include <ATen/ops/randn.h>
#include <gtest/gtest.h>
#include <torch/optim/sgd.h>

namespace stagelane::run {
namespace {

at::Tensor parameterOf(const at::Tensor& value) { return value.clone().requires_grad_(true); }

/// Steps both optimizers with the same gradients and expects the same bits.
void expectSameAsTorch(const plan::OptimizerSpec& spec) {
  const at::Tensor start = at::randn({7, 3});
  at::Tensor own = parameterOf(start);
  at::Tensor torchs = parameterOf(start);
  Sgd sgd(spec, {own});
  torch::optim::SGD reference({torchs}, torch::optim::SGDOptions(spec.learningRate)
                                            .momentum(spec.momentum)
                                            .weight_decay(spec.weightDecay));
  for (int i = 0; i < 4; ++i) {
    const at::Tensor gradient = at::randn({7, 3});
    own.mutable_grad() = gradient.clone();
    torchs.mutable_grad() = gradient.clone();
    sgd.step();
    reference.step();
    EXPECT_TRUE(own.equal(torchs)) << "step " << i;
  }
}

TEST(Sgd, StepsLikePyTorchWithoutMomentum) { expectSameAsTorch({"sgd", 0.1, 0.0, 0.0}); }
TEST(Sgd, StepsLikePyTorchWithMomentum) { expectSameAsTorch({"sgd", 0.1, 0.9, 0.0}); }
TEST(Sgd, StepsLikePyTorchWithWeightDecay) { expectSameAsTorch({"sgd", 0.1, 0.0, 0.01}); }
TEST(Sgd, StepsLikePyTorchWithBoth) { expectSameAsTorch({"sgd", 0.05, 0.9, 0.01}); }

TEST(Sgd, LeavesAParameterWithoutGradientAlone) {
  const at::Tensor start = at::randn({3});
  at::Tensor parameter = parameterOf(start);
  Sgd({"sgd", 0.1, 0.9, 0.1}, {parameter}).step();
  EXPECT_TRUE(parameter.equal(start));
}

TEST(Sgd, DropsGradientsOnDemand) {
  at::Tensor parameter = parameterOf(at::randn({3}));
  parameter.mutable_grad() = at::randn({3});
  Sgd sgd({"sgd", 0.1, 0.0, 0.0}, {parameter});
  sgd.step();
  EXPECT_TRUE(parameter.grad().defined());
  sgd.dropGradients();
  EXPECT_FALSE(parameter.grad().defined());
}

TEST(Sgd, NeedsAStateTensorWithMomentumOnly) {
  EXPECT_EQ(Sgd::stateTensors({"sgd", 0.1, 0.0, 0.5}), 0);
  EXPECT_EQ(Sgd::stateTensors({"sgd", 0.1, 0.9, 0.0}), 1);
}

TEST(Sgd, DoesNothingWithoutParameters) {
  Sgd sgd({"sgd", 0.1, 0.9, 0.0}, {});
  sgd.step();
  sgd.dropGradients();
}

}  // namespace
}  // namespace stagelane::run
