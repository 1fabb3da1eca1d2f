#include "engine/run/step/transfer.h"

#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include <atomic>

#include "engine/run/device/cpu_backend.h"
#include "tests/engine/run/device/stuck_marker.h"
#include "tests/support/fault_clock.h"

namespace stagelane::run {
namespace {

using stagelane::test::FaultClock;

constexpr schedule::LoweredAction kReceive{ActionKind::RecvForward, StageId{1}, MicroBatchId{0}, 0};

/// A device that copies what it receives itself, from 1 to 3 on the host's clock.
class CopyingReceiver final : public Backend {
 public:
  [[nodiscard]] at::Device torchDevice() const override { return at::kCPU; }
  void enterThread() override {}
  void leaveThread() override {}
  [[nodiscard]] std::shared_ptr<Marker> mark() override { return nullptr; }
  void synchronize() override {}
  [[nodiscard]] Parcel send(const at::Tensor&, Backend&) override { return {}; }
  [[nodiscard]] at::Tensor receive(Parcel& parcel, const StopCheck& stopped) override {
    if (!parcel.arrived->wait(stopped)) return {};
    parcel.sendStart = std::make_shared<ClockMarker>(1);
    parcel.arrived = std::make_shared<ClockMarker>(3);
    return std::move(parcel.tensor);
  }
  [[nodiscard]] Bytes peakBytes() const override { return 0; }
  [[nodiscard]] Bytes liveBytes() const override { return 0; }
  void resetPeakBytes() override {}
  void setMemoryLimit(Bytes) override {}
  [[nodiscard]] Bytes memoryBytes() const override { return 0; }
  void releaseCache() override {}
};

struct Receiving {
  Worker worker{"cuda:0", std::make_unique<CopyingReceiver>()};
  StepPlan plan;
  Exchange exchange{{2, 1, 2, 1}};
  Slot slot;

  Receiving() { plan.workers = {&worker}; }
  void put(const std::shared_ptr<Marker>& arrived) {
    Parcels parcels(1);
    parcels.front().tensor = at::ones({2});
    parcels.front().sendStart = std::make_shared<ClockMarker>(0);
    parcels.front().arrived = arrived;
    exchange.put({Direction::Forward, StageId{1}, MicroBatchId{0}}, std::move(parcels));
  }
  std::optional<Moved> take(const RunControl& control) {
    return Transfer(plan, 0).receive(kReceive, slot, exchange, control);
  }
};

TEST(Transfer, TheTimesOfATransferAreThoseOfTheReceiverThatCopies) {
  Receiving receiving;
  receiving.put(std::make_shared<ClockMarker>(0));
  const auto moved = receiving.take(RunControl(nullptr));
  ASSERT_TRUE(moved);
  EXPECT_EQ(moved->start->timeNs(), 1);
  EXPECT_EQ(moved->end->timeNs(), 3);
  EXPECT_EQ(moved->bytes, 8);
  EXPECT_EQ(receiving.slot.received.size(), 1U);
}

TEST(Transfer, AStopEndsTheWaitForATensorOfAStuckDevice) {
  Receiving receiving;
  receiving.put(std::make_shared<StuckMarker>());
  const std::atomic<bool> stop{true};
  const FaultClock fault;
  fault.strike();
  EXPECT_FALSE(receiving.take(RunControl(&stop)));
  fault.expectEnded();
}

}  // namespace
}  // namespace stagelane::run
