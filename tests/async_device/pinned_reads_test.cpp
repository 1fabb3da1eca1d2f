// Pinned host memory: the CPU must wait for the stream that writes it.

#include <ATen/ops/empty_like.h>
#include <ATen/ops/ones.h>

#include "tests/async_device/async_fixture.h"

namespace stagelane::async_device::test {
namespace {

at::Tensor pinnedLike(const at::Tensor& tensor) {
  return at::empty_like(tensor, tensor.options().device(at::kCPU).pinned_memory(true));
}

/// A copy to pinned memory that the host has not waited for.
struct CopyToHost {
  CopyToHost() {
    const c10::StreamGuard onStream(stream);
    host.copy_(x, /*non_blocking=*/true);
    arrived.record(stream);
  }
  at::Tensor x = filled(3);
  at::Tensor host = pinnedLike(x);
  c10::Stream stream = newStream();
  c10::Event arrived = newEvent();
};

TEST_F(AsyncDevice, APinnedReadBeforeTheEventIsARace) {
  const CopyToHost copy;
  static_cast<void>(copy.host.add(1));
  const std::vector<std::string> races = takeRaces();
  ASSERT_EQ(races.size(), 1U);
  EXPECT_THAT(races.front(), HasSubstr("pinned memory: aten::add in a host thread is not ordered "
                                       "after copy to the host on device 0"));
}

TEST_F(AsyncDevice, APinnedReadAfterTheEventIsNone) {
  const CopyToHost copy;
  copy.arrived.synchronize();
  EXPECT_EQ(copy.host.sum().item<double>(), 3000.0);
  const CopyToHost polled;
  while (!polled.arrived.query()) std::this_thread::yield();
  EXPECT_EQ(polled.host.sum().item<double>(), 3000.0);
  const CopyToHost whole;
  whole.stream.synchronize();
  EXPECT_EQ(whole.host.sum().item<double>(), 3000.0);
  EXPECT_THAT(takeRaces(), IsEmpty());
}

TEST_F(AsyncDevice, AWaitOfAnotherThreadExcusesAPinnedReadUnlessOwnWaitsAreAskedFor) {
  const CopyToHost excused;
  std::thread([&excused] { excused.arrived.synchronize(); }).join();
  EXPECT_EQ(excused.host.sum().item<double>(), 3000.0);
  EXPECT_THAT(takeRaces(), IsEmpty());
  setHostWaits(HostWaits::OfTheReader);
  const CopyToHost copy;
  std::thread([&copy] { copy.arrived.synchronize(); }).join();
  static_cast<void>(copy.host.add(1));
  EXPECT_EQ(takeRaces().size(), 1U);
}

TEST_F(AsyncDevice, ATensorMayBeHandedOnByAThreadThatWaitedAndReadIt) {
  setHostWaits(HostWaits::OfTheReader);
  const CopyToHost copy;
  std::thread([&copy] {
    copy.arrived.synchronize();
    static_cast<void>(copy.host.sum());
  }).join();
  EXPECT_EQ(copy.host.sum().item<double>(), 3000.0);
  EXPECT_THAT(takeRaces(), IsEmpty());
}

TEST_F(AsyncDevice, WhatReadsNoPinnedDataIsNoRace) {
  const CopyToHost copy;
  const at::Tensor part = copy.host.narrow(0, 0, 500).view({50, 10}).detach();
  static_cast<void>(pinnedLike(copy.host));
  // A stream reads it, after the copy.
  const c10::StreamGuard onStream(copy.stream);
  const at::Tensor back = copy.host.to(device(), /*non_blocking=*/true);
  EXPECT_TRUE(part.is_pinned());
  EXPECT_THAT(takeRaces(), IsEmpty());
  EXPECT_EQ(back.sum().item<double>(), 3000.0);
}

TEST_F(AsyncDevice, AnotherStreamThatReadsPinnedMemoryTooEarlyIsARace) {
  const CopyToHost copy;
  const c10::StreamGuard onStream(newStream());
  static_cast<void>(copy.host.to(device(), /*non_blocking=*/true));
  EXPECT_EQ(takeRaces().size(), 1U);
}

TEST_F(AsyncDevice, APinnedBufferThatIsWrittenWhileAStreamReadsItIsARace) {
  const at::Tensor host = at::ones({1000}).pin_memory();
  const c10::Stream stream = newStream();
  {
    const c10::StreamGuard onStream(stream);
    static_cast<void>(host.to(device(), /*non_blocking=*/true));
  }
  host.fill_(2);
  EXPECT_EQ(takeRaces().size(), 1U);
  stream.synchronize();
  host.fill_(3);
  EXPECT_THAT(takeRaces(), IsEmpty());
}

TEST_F(AsyncDevice, PinnedMemoryIsHeldBackForTheStreamThatReadsIt) {
  at::Tensor host = at::ones({1000}).pin_memory();
  const void* const data = host.const_data_ptr();
  const at::Tensor first = filled(1);
  const c10::Stream stream = newStream();
  stallOperator(0, "aten::neg");
  at::Tensor arrived;
  {
    const c10::StreamGuard onStream(stream);
    static_cast<void>(first.neg());
    arrived = host.to(device(), /*non_blocking=*/true);
  }
  waitUntilStalled();
  host.reset();
  EXPECT_NE(pinnedLike(first).const_data_ptr(), data);
  release(0);
  stream.synchronize();
  EXPECT_EQ(arrived.sum().item<double>(), 1000.0);
  EXPECT_THAT(takeRaces(), IsEmpty());
}

}  // namespace
}  // namespace stagelane::async_device::test
