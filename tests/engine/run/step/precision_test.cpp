#include "engine/run/step/precision.h"

#include <ATen/Context.h>
#include <ATen/autocast_mode.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

#include <thread>

#include "engine/run/step/tensors.h"

namespace stagelane::run {
namespace {

at::ScalarType typeOfLinear(at::ScalarType input) {
  const at::TensorOptions options(input);
  return at::linear(at::randn({2, 3}, options), at::randn({4, 3}, options)).scalar_type();
}

TEST(AutocastGuard, CastsFloat32OnlyAndOnlyWhileItLives) {
  {
    const AutocastGuard guard(plan::Precision::Bf16, c10::DeviceType::CPU);
    EXPECT_EQ(typeOfLinear(at::kFloat), at::kBFloat16);
    EXPECT_EQ(typeOfLinear(at::kDouble), at::kDouble);
  }
  EXPECT_EQ(typeOfLinear(at::kFloat), at::kFloat);
}

TEST(AutocastGuard, OfOneThreadIsNotThatOfAnother) {
  const AutocastGuard guard(plan::Precision::Bf16, c10::DeviceType::CPU);
  at::ScalarType other = at::kBFloat16;
  std::thread([&] { other = typeOfLinear(at::kFloat); }).join();
  EXPECT_EQ(other, at::kFloat);
}

TEST(AutocastGuard, DoesNothingForFp32) {
  const AutocastGuard guard(plan::Precision::Fp32, c10::DeviceType::CPU);
  EXPECT_EQ(typeOfLinear(at::kFloat), at::kFloat);
}

TEST(RunBlocks, UnderBf16KeepParametersAndTheirGradientsInFloat32) {
  const auto model = model::modelFromArgument("toy");
  ASSERT_TRUE(model);
  const StageTensors tensors(**model, 0, 2, drawInitialValues(**model, 0, at::kFloat), at::kCPU,
                             plan::MemoryFormat::Contiguous);
  ForwardMode mode;
  mode.precision = plan::Precision::Bf16;
  const at::Tensor output = runBlocks(**model, 0, 2, tensors, {at::randn({4, 10})}, mode).at(0);
  EXPECT_EQ(output.scalar_type(), at::kBFloat16);
  output.sum().backward();
  for (const auto& [name, parameter] : tensors.parameters()) {
    EXPECT_EQ(parameter.scalar_type(), at::kFloat) << name;
    EXPECT_EQ(parameter.grad().scalar_type(), at::kFloat) << name;
  }
}

TEST(ProcessPrecision, AllowsTf32ForTf32Alone) {
  setProcessPrecision(plan::Precision::Tf32);
  EXPECT_TRUE(at::globalContext().allowTF32CuBLAS());
  EXPECT_TRUE(at::globalContext().allowTF32CuDNN());
  setProcessPrecision(plan::Precision::Fp32);
  EXPECT_FALSE(at::globalContext().allowTF32CuBLAS());
  EXPECT_FALSE(at::globalContext().allowTF32CuDNN());
}

}  // namespace
}  // namespace stagelane::run
