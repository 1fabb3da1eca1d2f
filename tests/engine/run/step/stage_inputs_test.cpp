#include "engine/run/step/stage_inputs.h"

#include <ATen/ops/equal.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/sum.h>
#include <gmock/gmock.h>

#include "tests/engine/run/cuts.h"
#include "tests/engine/run/run_fixture.h"

namespace stagelane::run {
namespace {

using namespace test;
using testing::Each;

TEST(StageInputs, AGradientKeepsTheStridesThatTheGraphGivesIt) {
  const std::vector<at::Tensor> inputs = asInputs({at::randn({2, 3, 4, 4})});
  at::sum(inputs[0], {2, 3}).sum().backward();
  const at::Tensor gradient = takeGradient(inputs[0]);
  ASSERT_TRUE(gradient.defined());
  EXPECT_EQ(gradient.sizes(), inputs[0].sizes());
  EXPECT_EQ(gradient.stride(2), 0) << "the gradient of a sum is one value for each channel";
  EXPECT_FALSE(takeGradient(inputs[0]).defined()) << "taken once";
}

TEST(StageInputs, GradientsOfSeveralUsesAreAdded) {
  const std::vector<at::Tensor> inputs = asInputs({at::ones({3})});
  inputs[0].mul(2).add(inputs[0]).sum().backward();
  EXPECT_TRUE(at::equal(takeGradient(inputs[0]), at::ones({3}).mul(3)));
}

TEST(StageInputs, WholeNumbersHaveNoGradient) {
  const std::vector<at::Tensor> inputs = asInputs({at::ones({3}, at::kLong), at::ones({3})});
  EXPECT_EQ(differentiable(inputs).size(), 1U);
  EXPECT_FALSE(takeGradient(inputs[0]).defined());
}

/// In channels_last, a convolution chooses another kernel for the gradient of a pool to size 1,
/// which repeats one value, than for a gradient that fills its memory.
TEST(StageInputs, AStageThatBeginsAtAPoolHasTheGradientsOfTheUncutModel) {
  std::string variants;
  for (const std::string schedule : {"gpipe", "1f1b", "zb-h1", "tutorial"}) {
    variants += (variants.empty() ? "" : ",") + std::string(R"({"name":")") + schedule +
                R"(","strategy":"pipeline","schedule":")" + schedule +
                R"(","split_size":1,"stages":[{"first":"c","device":"cpu:0"},
                    {"first":"pool","device":"cpu:1"}]})";
  }
  Bench bench(R"({"stagelane":1,"name":"p","model":{"layers":[
      {"name":"c","kind":"Conv2d","in_channels":3,"out_channels":4,"kernel_size":3,"padding":1,
       "bias":false},
      {"name":"d","kind":"Conv2d","in_channels":4,"out_channels":4,"kernel_size":3,"padding":1},
      {"name":"pool","kind":"AdaptiveAvgPool2d","output_size":1},
      {"name":"flat","kind":"Flatten"},
      {"name":"fc","kind":"Linear","in_features":4,"out_features":3}]},
    "input":{"shape":[3,8,8]},"data":{"batch_size":4,"labels":"normal"},"loss":"mse",
    "memory_format":"channels_last","devices":["cpu:0","cpu:1"],"variants":[)" +
              variants + "]}");
  for (const std::string id : {"gpipe", "1f1b", "zb-h1", "tutorial"}) expectBitEqual(bench, id);
}

}  // namespace
}  // namespace stagelane::run
