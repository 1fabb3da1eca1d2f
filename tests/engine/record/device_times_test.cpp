#include "engine/record/device_times.h"

#include <gmock/gmock.h>

namespace stagelane::record {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;
using trace::Cause;

using Causes = std::array<TimeNs, trace::kCauseCount>;

TimeNs& at(Causes& causes, Cause cause) { return causes[static_cast<std::size_t>(cause)]; }

TEST(DeviceTimes, DivideTheStepIntoBusyAndIdle) {
  Causes causes{};
  at(causes, Cause::Forward) = 30;
  at(causes, Cause::Optimizer) = 20;
  at(causes, Cause::Starved) = 40;
  at(causes, Cause::Drain) = 10;
  const DeviceResult device = deviceTimes({"cpu:0", "cpu:1"}, 1, 100, causes, {{0, 40}});
  EXPECT_EQ(device.id, "cpu:1");
  EXPECT_EQ(device.busyNs, 50);
  EXPECT_DOUBLE_EQ(device.utilisation, 0.5);
  EXPECT_EQ(device.busy.size(), 5U);
  EXPECT_EQ(device.busy.at("forward"), 30);
  EXPECT_EQ(device.busy.at("backward"), 0);
  EXPECT_EQ(device.idle.size(), 7U);
  EXPECT_EQ(device.idle.at("starved"), 40);
  EXPECT_THAT(device.starvedBy, ElementsAre(Pair("cpu:0", 40)));
}

TEST(DeviceTimes, ListUnknownWorkOnlyIfThereIsAny) {
  Causes causes{};
  EXPECT_EQ(deviceTimes({"cpu:0"}, 0, 10, causes, {}).busy.count("compute"), 0U);
  at(causes, Cause::Compute) = 10;
  const DeviceResult device = deviceTimes({"cpu:0"}, 0, 10, causes, {});
  EXPECT_EQ(device.busy.at("compute"), 10);
  EXPECT_EQ(device.busyNs, 10);
}

TEST(DeviceTimes, AddUpWhatOneDeviceIsBlamedForAndBlameNoUnknownOne) {
  const DeviceResult device =
      deviceTimes({"cpu:0", "cpu:1"}, 0, 100, {}, {{-1, 7}, {1, 20}, {1, 5}});
  EXPECT_THAT(device.starvedBy, ElementsAre(Pair("cpu:1", 25)));
}

TEST(DeviceTimes, OfAnEmptyStepHaveNoUtilisation) {
  EXPECT_DOUBLE_EQ(deviceTimes({"cpu:0"}, 0, 0, {}, {}).utilisation, 0.0);
}

}  // namespace
}  // namespace stagelane::record
