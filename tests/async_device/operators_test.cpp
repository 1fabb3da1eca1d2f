// Operators have the CPU's bits, forward and backward.

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/autocast_mode.h>
#include <c10/core/AutogradState.h>

#include "tests/async_device/async_fixture.h"

namespace stagelane::async_device::test {
namespace {

using Tensors = std::vector<at::Tensor>;
using Compute = std::function<at::Tensor(const Tensors&)>;

enum class Precision { Full, Bf16 };

at::Tensor small(at::IntArrayRef sizes) { return at::randn(sizes).mul(0.3); }

struct Outcome {
  at::Tensor output;
  Tensors gradients;
};

Outcome computed(const at::Device& where, const Tensors& inputs, const Compute& compute,
                 Precision precision) {
  // As workers do: backward runs in the calling thread.
  c10::AutogradState::get_tls_state().set_multithreading_enabled(false);
  Tensors own;
  for (const at::Tensor& input : inputs) {
    own.push_back(input.detach().to(where, /*non_blocking=*/false, /*copy=*/true));
    own.back().requires_grad_(input.is_floating_point());
  }
  const bool half = precision == Precision::Bf16;
  at::autocast::set_autocast_enabled(where.type(), half);
  at::autocast::set_autocast_dtype(where.type(), at::kBFloat16);
  at::autocast::set_autocast_cache_enabled(false);
  Outcome outcome;
  outcome.output = compute(own);
  at::autocast::set_autocast_enabled(where.type(), false);
  outcome.output.to(at::kFloat).sin().sum().backward();
  for (const at::Tensor& each : own) {
    if (each.grad().defined()) outcome.gradients.push_back(each.grad());
  }
  return outcome;
}

void expectTheBitsOfTheCpu(const char* name, const Tensors& inputs, const Compute& compute,
                           Precision precision = Precision::Full) {
  SCOPED_TRACE(name);
  const Outcome cpu = computed(at::kCPU, inputs, compute, precision);
  const Outcome ours = computed(device(), inputs, compute, precision);
  EXPECT_TRUE(sameBits(ours.output, cpu.output));
  ASSERT_EQ(ours.gradients.size(), cpu.gradients.size());
  for (std::size_t i = 0; i < cpu.gradients.size(); ++i) {
    EXPECT_TRUE(sameBits(ours.gradients[i], cpu.gradients[i])) << "gradient " << i;
  }
  EXPECT_THAT(takeRaces(), IsEmpty());
}

class Operators : public AsyncDevice {
 protected:
  void SetUp() override {
    AsyncDevice::SetUp();
    at::set_num_threads(1);
    at::manual_seed(1);
    setDelays(20, 1);
  }
};

TEST_F(Operators, OfLayersHaveTheBitsOfTheCpu) {
  for (const Precision precision : {Precision::Full, Precision::Bf16}) {
    expectTheBitsOfTheCpu(
        "linear", {small({3, 8, 32}), small({96, 32}), small({96})},
        [](const Tensors& i) { return at::linear(i[0], i[1], i[2]); }, precision);
    expectTheBitsOfTheCpu(
        "linear without bias", {small({24, 32}), small({96, 32})},
        [](const Tensors& i) { return at::linear(i[0], i[1]); }, precision);
    expectTheBitsOfTheCpu(
        "conv2d", {small({2, 3, 9, 9}), small({8, 3, 3, 3}), small({8})},
        [](const Tensors& i) { return at::conv2d(i[0], i[1], i[2]); }, precision);
    expectTheBitsOfTheCpu(
        "attention", {small({3, 4, 8, 8}), small({3, 4, 8, 8}), small({3, 4, 8, 8})},
        [](const Tensors& i) {
          return at::scaled_dot_product_attention(i[0], i[1], i[2], {}, 0.0, true);
        },
        precision);
    expectTheBitsOfTheCpu(
        "gelu", {small({3, 8, 32})}, [](const Tensors& i) { return at::gelu(i[0]); }, precision);
    expectTheBitsOfTheCpu(
        "convolution, relu, pools", {small({4, 3, 9, 9}), small({8, 3, 3, 3})},
        [](const Tensors& i) {
          const at::Tensor h = at::conv2d(i[0], i[1]).relu_();
          return at::adaptive_avg_pool2d(at::max_pool2d(h, {2}), {1, 1});
        },
        precision);
  }
}

TEST_F(Operators, OfNormsAndLossesHaveTheBitsOfTheCpu) {
  expectTheBitsOfTheCpu("layer norm", {small({3, 8, 32}), small({32}), small({32})},
                        [](const Tensors& i) { return at::layer_norm(i[0], {32}, i[1], i[2]); });
  expectTheBitsOfTheCpu("embedding", {small({50, 32}), at::randint(0, 50, {3, 8})},
                        [](const Tensors& i) { return at::embedding(i[0], i[1]); });
  expectTheBitsOfTheCpu("cross entropy", {small({24, 50}), at::randint(0, 50, {24})},
                        [](const Tensors& i) { return at::cross_entropy_loss(i[0], i[1]); });
  expectTheBitsOfTheCpu(
      "batch norm", {small({4, 3, 9, 9}), small({8, 3, 3, 3}), small({8}), small({8})},
      [](const Tensors& i) {
        return at::batch_norm(at::conv2d(i[0], i[1]), i[2], i[3], {}, {}, true, 0.1, 1e-5, false);
      });
  expectTheBitsOfTheCpu("channels last", {small({4, 3, 9, 9}), small({8, 3, 3, 3})},
                        [](const Tensors& i) {
                          const at::Tensor x = i[0].contiguous(at::MemoryFormat::ChannelsLast);
                          return at::max_pool2d(at::conv2d(x, i[1]), {2});
                        });
}

TEST_F(Operators, BatchNormChangesItsRunningStatistics) {
  const at::Tensor x = small({4, 8, 9, 9});
  Tensors statistics[2];
  for (int i = 0; i < 2; ++i) {
    const at::Device where = i == 0 ? at::Device(at::kCPU) : device();
    statistics[i] = {at::zeros({8}).to(where), at::ones({8}).to(where)};
    static_cast<void>(at::batch_norm(x.to(where), {}, {}, statistics[i][0], statistics[i][1], true,
                                     0.1, 1e-5, false));
  }
  EXPECT_TRUE(sameBits(statistics[0][0], statistics[1][0]));
  EXPECT_TRUE(sameBits(statistics[0][1], statistics[1][1]));
  // The schema does not say that they are written; the detector knows it.
  {
    const c10::StreamGuard onStream(newStream());
    static_cast<void>(at::batch_norm(x.to(device()), {}, {}, statistics[1][0], statistics[1][1],
                                     true, 0.1, 1e-5, false));
  }
  static_cast<void>(takeRaces());
  static_cast<void>(statistics[1][0].neg());
  EXPECT_THAT(takeRaces(), Not(IsEmpty()));
}

TEST_F(Operators, OfAdamHaveTheBitsOfTheCpu) {
  const at::Tensor start = small({200});
  const at::Tensor gradient = small({200});
  Tensors results;
  for (const at::Device& where : {at::Device(at::kCPU), device()}) {
    at::Tensor p = start.to(where, false, true);
    const at::Tensor g = gradient.to(where);
    const at::Tensor first = at::zeros_like(g);
    const at::Tensor second = at::zeros_like(g);
    for (int step = 0; step < 3; ++step) {
      first.mul_(0.9).add_(g, 0.1);
      second.mul_(0.999).addcmul_(g, g, 0.001);
      p.addcdiv_(first, second.sqrt().add_(1e-8), -0.01);
    }
    results.push_back(p);
  }
  EXPECT_TRUE(sameBits(results[0], results[1]));
  Tensors lists{start.to(device()), gradient.to(device())};
  at::_foreach_add_(lists, 1.0);
  EXPECT_TRUE(sameBits(lists[0], start.add(1)));
  EXPECT_TRUE(sameBits(at::_foreach_norm(lists)[1], at::_foreach_norm({gradient.add(1)})[0]));
}

TEST_F(Operators, DropoutDropsAndScales) {
  const at::Tensor x = small({1000});
  const at::Tensor there = x.to(device());
  const at::Tensor y = at::dropout(there, 0.5, true).cpu();
  EXPECT_TRUE(sameBits(y, at::where(y.eq(0), y, x.mul(2))));
  const auto dropped = y.eq(0).sum().item<std::int64_t>();
  EXPECT_GT(dropped, 400);
  EXPECT_LT(dropped, 600);
  EXPECT_FALSE(sameBits(at::dropout(there, 0.5, true), y)) << "each call draws anew";
}

TEST_F(Operators, DrawTheSameNumbersFromTheSameSeed) {
  const auto draw = [] { return at::randn({100}, at::TensorOptions(device())).cpu(); };
  at::manual_seed(9);
  const at::Tensor first = draw();
  const at::Tensor second = draw();
  at::manual_seed(9);
  EXPECT_TRUE(sameBits(draw(), first));
  at::Generator generator = at::globalContext().defaultGenerator(device());
  const at::Tensor state = generator.get_state();
  EXPECT_TRUE(sameBits(draw(), second));
  generator.set_state(state);
  EXPECT_TRUE(sameBits(draw(), second));
}

TEST_F(Operators, LeaveTheGeneratorOfTheCpuAlone) {
  at::manual_seed(5);
  const at::Tensor expected = at::randn({10});
  at::manual_seed(5);
  static_cast<void>(at::randn({31}, at::TensorOptions(device())));
  static_cast<void>(at::dropout(at::ones({37}).to(device()), 0.5, true));
  EXPECT_TRUE(sameBits(at::randn({10}), expected));
}

TEST_F(Operators, WhoseResultsDependOnDataWait) {
  const at::Tensor x = small({100});
  const at::Tensor there = x.to(device());
  EXPECT_TRUE(at::equal(there, there.clone()));
  EXPECT_TRUE(sameBits(there.gt(0).nonzero(), x.gt(0).nonzero()));
  EXPECT_TRUE(sameBits(there.masked_select(there.gt(0)), x.masked_select(x.gt(0))));
  EXPECT_EQ(there.sum().item<float>(), x.sum().item<float>());
}

TEST_F(Operators, GiveAnEmptyOutputItsSize) {
  const at::Tensor x = small({4, 5});
  at::Tensor out = at::empty({0}, at::TensorOptions(device()));
  at::nansum_out(out, x.to(device()), 0);
  EXPECT_TRUE(sameBits(out, x.nansum(0)));
  EXPECT_TRUE(sameBits(x.to(device()).abs(), x.abs()));
  EXPECT_THAT(takeRaces(), IsEmpty());
}

TEST_F(Operators, RefuseTensorsOfTwoDevices) {
  EXPECT_THROW(static_cast<void>(filled(1, 0).add(filled(1, 1))), c10::Error);
}

TEST_F(Operators, AreCounted) {
  const Counters before = counters();
  static_cast<void>(filled(1).erfinv());
  const Counters after = counters();
  EXPECT_GT(after.tasks, before.tasks);
  EXPECT_GT(after.calls.fallbacks, before.calls.fallbacks);
  EXPECT_GT(after.calls.kernels, before.calls.kernels);
  EXPECT_THAT(fallbackOperators(), Contains(HasSubstr("aten::erfinv")));
  EXPECT_THAT(kernelOperators(), Contains(HasSubstr("empty.memory_format")));
}

}  // namespace
}  // namespace stagelane::async_device::test
