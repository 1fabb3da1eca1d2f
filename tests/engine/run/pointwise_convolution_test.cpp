/// 1x1 convolutions are computed in a way that is fast for small micro-batches (operators.cpp);
/// this compares them with plain ones.

#include <ATen/ops/conv2d.h>
#include <ATen/ops/randn.h>

#include "tests/engine/run/run_fixture.h"

namespace stagelane::run {
namespace {

using namespace test;

struct Computed {
  at::Tensor output, inputGradient, weightGradient;
};

Computed differentiated(const at::Tensor& output, const at::Tensor& input,
                        const at::Tensor& weight) {
  output.sum().backward();
  return {output.detach(), input.grad().clone(), weight.grad().clone()};
}

double difference(const at::Tensor& a, const at::Tensor& b) {
  EXPECT_EQ(a.sizes(), b.sizes());
  return a.sub(b).abs().max().item<double>() / b.abs().max().item<double>();
}

void expectPlain(const std::string& attributes, at::ScalarType dtype, std::int64_t batch,
                 std::vector<std::int64_t> stride, std::vector<std::int64_t> padding) {
  const auto model = valueOf(model::buildModel(
      valueOf(parseJson(
          R"({"layers":[{"kind":"Conv2d","in_channels":6,"out_channels":8)" + attributes + "}]}",
          "test")),
      "", "."));
  const StageTensors tensors(*model, 0, 0, drawInitialValues(*model, 3, dtype), at::kCPU,
                             plan::MemoryFormat::Contiguous);
  const at::Tensor weight = tensors.layer(0).tensors.at(0);
  const at::Tensor bias = tensors.layer(0).tensors.at(1);
  const at::Tensor input = at::randn({batch, 6, 9, 7}, dtype).requires_grad_(true);
  const Computed own =
      differentiated(runBlocks(*model, 0, 0, tensors, {input}).front(), input, weight);
  input.mutable_grad().reset();
  weight.mutable_grad().reset();
  const Computed plain =
      differentiated(at::conv2d(input, weight, bias, stride, padding), input, weight);
  EXPECT_LE(difference(own.output, plain.output), 1e-5);
  EXPECT_LE(difference(own.inputGradient, plain.inputGradient), 1e-5);
  EXPECT_LE(difference(own.weightGradient, plain.weightGradient), 1e-5);
}

TEST(PointwiseConvolution, EqualsThePlainOne) {
  expectPlain(R"(,"kernel_size":1)", at::kFloat, 3, {1, 1}, {0, 0});
}
TEST(PointwiseConvolution, EqualsThePlainOneWithStrideAndPadding) {
  expectPlain(R"(,"kernel_size":1,"stride":2,"padding":0)", at::kFloat, 3, {2, 2}, {0, 0});
}
TEST(PointwiseConvolution, EqualsThePlainOneForOneSampleAndInFloat64) {
  expectPlain(R"(,"kernel_size":1)", at::kFloat, 1, {1, 1}, {0, 0});
  expectPlain(R"(,"kernel_size":1)", at::kDouble, 3, {1, 1}, {0, 0});
}

}  // namespace
}  // namespace stagelane::run
