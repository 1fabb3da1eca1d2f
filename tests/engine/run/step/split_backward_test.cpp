#include "engine/run/step/split_backward.h"

#include <ATen/ops/add.h>
#include <ATen/ops/batch_norm.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/tanh.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/variable.h>

#include <functional>

namespace stagelane::run {
namespace {

using Tensors = std::vector<at::Tensor>;
/// A stage: its outputs from its input and its weights.
using Stage = std::function<Tensors(const at::Tensor& input, const Tensors& weights)>;

at::Tensor leaf(const at::Tensor& value) { return value.detach().clone().requires_grad_(true); }

/// The stage's weights as fresh leaves.
Tensors leaves(const Tensors& values) {
  Tensors result;
  for (const at::Tensor& value : values) result.push_back(leaf(value));
  return result;
}

std::vector<torch::autograd::Edge> edgesOf(const Tensors& outputs) {
  std::vector<torch::autograd::Edge> edges;
  for (const at::Tensor& output : outputs) {
    edges.push_back(torch::autograd::impl::gradient_edge(output));
  }
  return edges;
}

/// Both halves, over two micro-batches, against the undivided backward, bit for bit.
void expectHalvesEqualWhole(const Stage& stage, const Tensors& values, const at::Tensor& example) {
  const Tensors whole = leaves(values);
  const Tensors halves = leaves(values);
  for (int microBatch = 0; microBatch < 2; ++microBatch) {
    const at::Tensor input = at::randn(example.sizes(), example.options());
    const at::Tensor wholeInput = leaf(input);
    Tensors outputs = stage(wholeInput, whole);
    Tensors gradients;
    for (const at::Tensor& output : outputs) {
      gradients.push_back(at::randn(output.sizes(), output.options()));
    }
    torch::autograd::backward(outputs, gradients);

    const at::Tensor halfInput = leaf(input);
    outputs = stage(halfInput, halves);
    InputGradients first = inputHalf(edgesOf(outputs), gradients, {halfInput});
    outputs.clear();
    EXPECT_TRUE(first.gradients.at(0).equal(wholeInput.grad())) << "micro-batch " << microBatch;
    first.weights.accumulate();
    EXPECT_TRUE(first.weights.empty());
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_TRUE(halves[i].grad().defined()) << "weight " << i;
    EXPECT_TRUE(halves[i].grad().equal(whole[i].grad())) << "weight " << i;
  }
}

class SplitBackwardUses : public testing::TestWithParam<std::tuple<int, at::ScalarType>> {};

TEST_P(SplitBackwardUses, IsExactForAWeightUsedSeveralTimes) {
  const auto [uses, type] = GetParam();
  const at::TensorOptions options(type);
  const Tensors weights{at::randn({64, 64}, options), at::randn({64}, options)};
  const int count = uses;
  expectHalvesEqualWhole(
      [count](const at::Tensor& input, const Tensors& own) {
        at::Tensor value = input;
        for (int i = 0; i < count; ++i) value = at::tanh(at::linear(value, own[0], own[1]));
        return Tensors{value};
      },
      weights, at::randn({32, 64}, options));
}

INSTANTIATE_TEST_SUITE_P(Grid, SplitBackwardUses,
                         testing::Combine(testing::Values(1, 2, 3, 4),
                                          testing::Values(at::kFloat, at::kDouble)));

TEST(SplitBackward, IsExactForResidualBranchesWithNorms) {
  const Tensors weights{at::randn({8, 8, 3, 3}), at::randn({8}), at::randn({8}),
                        at::randn({8, 8, 1, 1})};
  expectHalvesEqualWhole(
      [](const at::Tensor& input, const Tensors& own) {
        const at::Tensor conv = at::conv2d(input, own[0], {}, 1, 1);
        const at::Tensor norm =
            at::batch_norm(conv, own[1], own[2], {}, {}, true, 0.1, 1e-5, false);
        return Tensors{at::relu(at::add(norm, at::conv2d(input, own[3])))};
      },
      weights, at::randn({4, 8, 6, 6}));
}

TEST(SplitBackward, IsExactForAWeightSharedByTwoBranchesAndANorm) {
  const Tensors weights{at::randn({16, 16}), at::randn({16}), at::randn({16})};
  expectHalvesEqualWhole(
      [](const at::Tensor& input, const Tensors& own) {
        const at::Tensor left = at::layer_norm(at::linear(input, own[0]), {16}, own[1], own[2]);
        const at::Tensor right = at::layer_norm(at::linear(left, own[0]), {16}, own[1], own[2]);
        return Tensors{at::mul(left, right), at::linear(right, own[0])};
      },
      weights, at::randn({4, 16}));
}

TEST(SplitBackward, TakesWeightsThatNoInputReaches) {
  const Tensors weights{at::randn({16, 16}), at::randn({16, 16})};
  expectHalvesEqualWhole(
      [](const at::Tensor& input, const Tensors& own) {
        const at::Tensor mask = at::tanh(own[1]);
        return Tensors{at::mul(at::linear(input, own[0]), mask), at::mul(mask, own[0])};
      },
      weights, at::randn({16, 16}));
}

TEST(SplitBackward, LeavesNoWeightHalfWhereThereAreNoWeights) {
  const at::Tensor input = leaf(at::randn({4, 4}));
  const at::Tensor output = at::tanh(input);
  const InputGradients half = inputHalf(edgesOf({output}), {at::randn({4, 4})}, {input});
  EXPECT_TRUE(half.weights.empty());
  EXPECT_TRUE(half.gradients.at(0).defined());
}

TEST(SplitBackward, HandsThroughAnInputThatIsAnOutput) {
  const at::Tensor input = leaf(at::randn({4, 4}));
  const at::Tensor gradient = at::randn({4, 4});
  const InputGradients half = inputHalf(edgesOf({input}), {gradient}, {input});
  EXPECT_TRUE(half.gradients.at(0).equal(gradient));
  EXPECT_TRUE(half.weights.empty());
}

TEST(SplitBackward, SaysNothingOfAnInputThatIsNotUsed) {
  const at::Tensor input = leaf(at::randn({4, 4}));
  const at::Tensor unused = leaf(at::randn({4, 4}));
  const at::Tensor output = at::tanh(input);
  const InputGradients half = inputHalf(edgesOf({output}), {at::randn({4, 4})}, {unused, input});
  EXPECT_FALSE(half.gradients.at(0).defined());
  EXPECT_TRUE(half.gradients.at(1).defined());
}

TEST(SplitBackward, TheInputHalfFreesWhatOnlyItNeeded) {
  const at::Tensor weight = leaf(at::randn({8, 8}));
  const at::Tensor input = leaf(at::randn({4, 8}));
  at::Tensor hidden = at::linear(input, weight);
  // tanh keeps its output for its backward; the weight half of the linear layer does not need it.
  at::Tensor output = at::tanh(hidden);
  const c10::weak_intrusive_ptr<c10::StorageImpl> storage(output.storage().getWeakStorageImpl());
  std::vector<torch::autograd::Edge> edges = edgesOf({output});
  output.reset();
  hidden.reset();
  EXPECT_FALSE(storage.expired());
  InputGradients half = inputHalf(std::move(edges), {at::randn({4, 8})}, {input});
  EXPECT_TRUE(storage.expired());
  EXPECT_EQ(half.weights.capturedBytes(), 4 * 8 * 4);
  half.weights.accumulate();
  EXPECT_EQ(half.weights.capturedBytes(), 0);
  EXPECT_TRUE(weight.grad().defined());
}

}  // namespace
}  // namespace stagelane::run
