// Copies in all directions.

#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/randn.h>

#include "tests/async_device/async_fixture.h"

namespace stagelane::async_device::test {
namespace {

at::Tensor sample() { return at::randn({4, 3, 8, 8}); }

TEST_F(AsyncDevice, CopiesFromTheHostAndBack) {
  const at::Tensor x = sample();
  for (const bool pinned : {false, true}) {
    for (const bool nonBlocking : {false, true}) {
      const at::Tensor from = pinned ? x.pin_memory() : x;
      const at::Tensor there = from.to(device(), nonBlocking);
      EXPECT_TRUE(there.is_privateuseone());
      at::Tensor back = at::empty_like(from, from.options().pinned_memory(pinned));
      back.copy_(there, nonBlocking);
      guard().synchronizeStream(guard().getStream(device()));
      EXPECT_TRUE(sameBits(back, x)) << pinned << nonBlocking;
    }
  }
  EXPECT_THAT(takeRaces(), IsEmpty());
}

TEST_F(AsyncDevice, APageableSourceMayChangeAfterTheCall) {
  setDelays(2000, 3);
  at::Tensor x = sample();
  const at::Tensor expected = x.clone();
  const at::Tensor there = x.to(device(), /*non_blocking=*/true);
  x.zero_();
  EXPECT_TRUE(sameBits(there, expected));
}

TEST_F(AsyncDevice, CopiesBetweenDevicesBehindBothCurrentStreams) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    setDelays(1000, seed);
    const at::Tensor x = sample();
    const at::Tensor there = x.to(device(0), true).to(device(1), true).mul(1.0);
    EXPECT_EQ(there.device(), device(1));
    EXPECT_TRUE(sameBits(there.to(device(0), true), x));
  }
  EXPECT_THAT(takeRaces(), IsEmpty());
}

TEST_F(AsyncDevice, ConvertsTypesAndLayouts) {
  const at::Tensor x = sample();
  EXPECT_TRUE(sameBits(x.to(device(), at::kDouble), x.to(at::kDouble)));
  EXPECT_TRUE(sameBits(x.pin_memory().to(device(), at::kBFloat16, true), x.to(at::kBFloat16)));
  const at::Tensor moved = x.transpose(1, 2);
  EXPECT_TRUE(sameBits(moved.to(device()), moved));
  const at::Tensor last = x.contiguous(at::MemoryFormat::ChannelsLast);
  EXPECT_TRUE(last.to(device()).is_contiguous(at::MemoryFormat::ChannelsLast));
  at::Tensor part = at::empty({4, 3, 8, 8}, at::TensorOptions(device()));
  part.zero_();
  part.narrow(1, 1, 1).copy_(x.narrow(1, 2, 1));
  EXPECT_TRUE(sameBits(part.narrow(1, 1, 1), x.narrow(1, 2, 1)));
  EXPECT_TRUE(sameBits(at::arange(5).to(device()).to(at::kCPU), at::arange(5)));
  EXPECT_EQ(at::empty({0}).to(device()).numel(), 0);
  EXPECT_THAT(takeRaces(), IsEmpty());
}

TEST_F(AsyncDevice, ExpandsASmallSource) {
  at::Tensor rows = at::empty({3, 4}, at::TensorOptions(device()));
  rows.copy_(at::arange(4, at::kFloat));
  EXPECT_TRUE(sameBits(rows.sum(0), at::arange(4, at::kFloat).mul(3)));
}

TEST_F(AsyncDevice, ViewsShareTheMemory) {
  const at::Tensor x = sample();
  at::Tensor there = x.to(device());
  at::Tensor here = x.clone();
  there.select(0, 1).unsqueeze(0).transpose(1, 2).mul_(2);
  here.select(0, 1).unsqueeze(0).transpose(1, 2).mul_(2);
  EXPECT_TRUE(sameBits(there, here));
  EXPECT_TRUE(sameBits(there.reshape({2, -1}).unfold(1, 4, 2).add(1),
                       here.reshape({2, -1}).unfold(1, 4, 2).add(1)));
}

}  // namespace
}  // namespace stagelane::async_device::test
