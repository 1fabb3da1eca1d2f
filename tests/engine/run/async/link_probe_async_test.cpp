// Links of devices whose clocks disagree.

#include "engine/run/calibrate/link_probe.h"

#include <gmock/gmock.h>

#include <memory>
#include <string>
#include <utility>

#include "tests/engine/run/run_fixture.h"
#include "tests/engine/run/wrapped_backend.h"
#include "tests/support/async_device/async_device.h"

namespace stagelane::run {
namespace {

using namespace test;
using testing::IsEmpty;

constexpr TimeNs kAheadNs = 10'000'000'000;

class MarkerAhead final : public Marker {
 public:
  explicit MarkerAhead(std::shared_ptr<Marker> marker) : m_marker(std::move(marker)) {}
  [[nodiscard]] TimeNs timeNs() const override { return m_marker->timeNs() + kAheadNs; }
  [[nodiscard]] bool reached() const override { return m_marker->reached(); }
  [[nodiscard]] bool wait(const StopCheck& stopped) const override {
    return m_marker->wait(stopped);
  }

 private:
  std::shared_ptr<Marker> m_marker;
};

/// A device whose clock is ahead of the host's.
class DeviceAhead final : public WrappedBackend {
 public:
  using WrappedBackend::WrappedBackend;
  [[nodiscard]] std::shared_ptr<Marker> mark() override {
    return std::make_shared<MarkerAhead>(inner().mark());
  }
};

template <class Wrapper>
std::unique_ptr<Worker> workerOf(const std::string& device) {
  return std::make_unique<Worker>(
      device, std::make_unique<Wrapper>(valueOf(makeBackend(DeviceId{device}, {}))));
}

class AsyncLink : public ::testing::Test {
 protected:
  void TearDown() override { async_device::reset(); }
};

void expectALatencyWithoutTheClocks(Worker& from, Worker& to) {
  static_cast<void>(async_device::takeRaces());
  const predict::LinkCost link = valueOf(measureLink(from, to, RunControl(nullptr)));
  EXPECT_GT(link.latencyNs, 0) << from.name() << " to " << to.name();
  EXPECT_LT(link.latencyNs, kAheadNs / 10) << from.name() << " to " << to.name();
  EXPECT_GT(link.bytesPerSecond, 0.0);
  EXPECT_THAT(async_device::takeRaces(), IsEmpty());
}

TEST_F(AsyncLink, TheDifferenceOfTwoDevicesClocksIsNotInTheLatency) {
  const auto right = workerOf<WrappedBackend>("cuda:0");
  const auto ahead = workerOf<DeviceAhead>("cuda:1");
  expectALatencyWithoutTheClocks(*right, *ahead);
  expectALatencyWithoutTheClocks(*ahead, *right);
}

TEST_F(AsyncLink, NorIsTheDifferenceOfADevicesClockAndTheHosts) {
  const auto host = workerOf<WrappedBackend>("cpu:0");
  const auto ahead = workerOf<DeviceAhead>("cuda:0");
  expectALatencyWithoutTheClocks(*host, *ahead);
  expectALatencyWithoutTheClocks(*ahead, *host);
}

}  // namespace
}  // namespace stagelane::run
