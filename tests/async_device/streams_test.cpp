// Streams and events: asynchronous, in order, and ordered among each other only on request.

#include <ATen/ops/zeros.h>

#include "tests/async_device/async_fixture.h"

namespace stagelane::async_device::test {
namespace {

TEST_F(AsyncDevice, ACallReturnsBeforeItsWorkIsDone) {
  const at::Tensor x = filled(2);
  stallOperator(0, "aten::mul");
  const at::Tensor y = x.mul(3);
  waitUntilStalled();
  EXPECT_FALSE(guard().queryStream(guard().getStream(device())));
  release(0);
  EXPECT_EQ(y.sum().item<double>(), 6000.0);
  guard().synchronizeDevice(0);
  EXPECT_TRUE(guard().queryStream(guard().getStream(device())));
  EXPECT_THAT(takeRaces(), IsEmpty());
}

TEST_F(AsyncDevice, AStreamDoesItsTasksInOrder) {
  setDelays(50, 1);
  const c10::StreamGuard onStream(newStream());
  at::Tensor x = at::zeros({10}, at::TensorOptions(device()));
  at::Tensor expected = at::zeros({10});
  for (int i = 0; i < 100; ++i) {
    x.mul_(0.5).add_(i);
    expected.mul_(0.5).add_(i);
  }
  EXPECT_TRUE(sameBits(x, expected));
  EXPECT_THAT(takeRaces(), IsEmpty());
}

TEST_F(AsyncDevice, OneStreamDoesNotWaitForAnother) {
  const at::Tensor x = filled(2);
  const c10::Stream first = newStream();
  const c10::Stream second = newStream();
  stallOperator(0, "aten::neg");
  at::Tensor late;
  {
    const c10::StreamGuard onStream(first);
    late = x.neg();
  }
  const c10::StreamGuard onStream(second);
  EXPECT_EQ(x.abs().sum().item<double>(), 2000.0) << "while the first stream is held";
  release(0);
  first.synchronize();
  EXPECT_EQ(late.sum().item<double>(), -2000.0);
}

/// A second stream copies what a first one writes.
struct TwoStreams {
  explicit TwoStreams(bool ordered) {
    c10::Event written = newEvent();
    {
      const c10::StreamGuard onStream(first);
      x.add_(1);
      written.record(first);
    }
    if (ordered) second.wait(written);
    const c10::StreamGuard onStream(second);
    seen = x.clone();
  }
  c10::Stream first = newStream();
  c10::Stream second = newStream();
  at::Tensor x = filled(0);
  at::Tensor seen;
};

TEST_F(AsyncDevice, AnEventOrdersTwoStreams) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    setDelays(2000, seed);
    const TwoStreams streams(true);
    streams.second.synchronize();
    EXPECT_EQ(streams.seen.sum().item<double>(), 1000.0);
    EXPECT_THAT(takeRaces(), IsEmpty());
  }
}

TEST_F(AsyncDevice, AMissingWaitGivesWrongNumbers) {
  stallOperator(0, "aten::add_");
  TwoStreams streams(false);
  waitUntilStalled();
  streams.second.synchronize();
  const c10::StreamGuard onStream(streams.second);
  EXPECT_EQ(streams.seen.sum().item<double>(), 0.0);
  release(0);
}

TEST_F(AsyncDevice, AMissingWaitIsARaceWithoutDelaysToo) {
  const TwoStreams streams(false);
  const std::vector<std::string> races = takeRaces();
  ASSERT_EQ(races.size(), 1U);
  EXPECT_THAT(races.front(), HasSubstr("is not ordered after aten::add on device 0"));
  EXPECT_THAT(takeRaces(), IsEmpty()) << "each is reported once";
}

TEST_F(AsyncDevice, AWaitOfTheHostOrdersWhatIsQueuedLater) {
  const at::Tensor x = filled(0);
  const c10::Stream first = newStream();
  {
    const c10::StreamGuard onStream(first);
    x.fill_(1);
  }
  first.synchronize();
  const c10::StreamGuard onStream(newStream());
  EXPECT_EQ(x.sum().item<double>(), 1000.0);
  EXPECT_THAT(takeRaces(), IsEmpty());
}

TEST_F(AsyncDevice, StreamsThatUseDifferentPartsOfATensorDoNotRace) {
  const at::Tensor x = filled(0);
  for (int part = 0; part < 4; ++part) {
    const c10::StreamGuard onStream(newStream());
    x.narrow(0, 250 * part, 250).fill_(part);
  }
  EXPECT_THAT(takeRaces(), IsEmpty());
  const c10::StreamGuard onStream(newStream());
  x.narrow(0, 200, 100).fill_(9);
  EXPECT_EQ(takeRaces().size(), 2U) << "it overlaps two parts";
}

TEST_F(AsyncDevice, AnEventIsReachedWhenItsStreamGetsThere) {
  const at::Tensor x = filled(1);
  const c10::Stream stream = newStream();
  c10::Event before = newEvent();
  c10::Event after = newEvent();
  stallOperator(0, "aten::neg");
  before.record(stream);
  {
    const c10::StreamGuard onStream(stream);
    static_cast<void>(x.neg());
  }
  after.record(stream);
  waitUntilStalled();
  EXPECT_TRUE(before.query());
  EXPECT_FALSE(after.query());
  EXPECT_THROW(static_cast<void>(before.elapsedTime(after)), c10::Error);
  const auto began = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const std::chrono::duration<double, std::milli> held = std::chrono::steady_clock::now() - began;
  release(0);
  after.synchronize();
  EXPECT_GE(before.elapsedTime(after), held.count() * 0.999) << "a float";
}

TEST_F(AsyncDevice, AnEventThatIsRecordedAgainStillHoldsWhoWaited) {
  const at::Tensor x = filled(0);
  const c10::Stream first = newStream();
  const c10::Stream second = newStream();
  c10::Event event = newEvent();
  stallOperator(0, "aten::fill_");
  {
    const c10::StreamGuard onStream(first);
    x.fill_(1);
  }
  event.record(first);
  second.wait(event);
  event.record(newStream());
  event.synchronize();
  waitUntilStalled();
  EXPECT_FALSE(guard().queryStream(second));
  release(0);
  second.synchronize();
}

TEST_F(AsyncDevice, TheCurrentStreamIsThatOfTheThreadAndDevice) {
  const c10::Stream stream = newStream(1);
  const c10::StreamGuard onStream(stream);
  EXPECT_EQ(guard().getDevice().index(), 1);
  EXPECT_EQ(guard().getStream(device(1)), stream);
  EXPECT_EQ(guard().getStream(device(0)), guard().getDefaultStream(device(0)));
  std::thread([&] { EXPECT_NE(guard().getStream(device(1)), stream); }).join();
}

TEST_F(AsyncDevice, HasFourDevicesAndRefusesOthers) {
  EXPECT_EQ(guard().deviceCount(), kDevices);
  EXPECT_THROW(guard().setDevice(device(kDevices)), c10::Error);
}

}  // namespace
}  // namespace stagelane::async_device::test
