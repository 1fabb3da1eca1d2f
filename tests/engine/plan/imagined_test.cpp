#include "engine/plan/imagined.h"

#include <gtest/gtest.h>

#include "engine/plan/block_estimate.h"
#include "tests/engine/plan/documents.h"

namespace stagelane::plan {
namespace {

using namespace testing;

/// The toy with a second, imagined device that one variant uses.
Json imagined(const std::string& device) {
  Json document = toyWith(R"([{"name": "one", "strategy": "single", "device": "cpu:0"},
      {"name": "two", "strategy": "model_parallel",
       "placement": {"net1": "cpu:0", "relu": "cpu:0", "net2": "sim:0"}}])");
  document["devices"] = Json::array({"cpu:0", parsed(device)});
  return document;
}

constexpr const char* kTwice =
    R"({"id": "sim:0", "like": "cpu:0", "speed": 2.0, "max_memory": "8GiB"})";

TEST(ImaginedDevice, IsReadWithWhatItIsLikeItsSpeedAndItsMemory) {
  const Experiment experiment = good(imagined(kTwice));
  ASSERT_EQ(experiment.devices.size(), 2U);
  const DeviceSpec& device = experiment.devices[1];
  EXPECT_TRUE(isImagined(device));
  EXPECT_EQ(device.like, DeviceId{"cpu:0"});
  EXPECT_EQ(device.speed, 2.0);
  EXPECT_EQ(device.maxMemory, Bytes{8} << 30);
  EXPECT_FALSE(isImagined(experiment.devices[0]));
}

TEST(ImaginedDevice, HasANumberOfOthersLikeIt) {
  const Experiment experiment =
      good(imagined(R"({"id": "sim:0", "count": 4000, "like": "cuda:0", "speed": 2.0})"));
  ASSERT_EQ(experiment.devices.size(), 4001U);
  EXPECT_EQ(experiment.devices[4000].id, DeviceId{"sim:3999"});
  EXPECT_EQ(experiment.devices[4000].like, DeviceId{"cuda:0"});
  EXPECT_EQ(experiment.devices[4000].speed, 2.0);
  EXPECT_EQ(good(experiment.source).devices.size(), 4001U);
  expectError(imagined(R"({"id": "sim:1", "count": 4096, "like": "cuda:0"})"), "/devices/1/count",
              "sim:4096");
  expectError(imagined(R"({"id": "sim:0", "count": 0, "like": "cuda:0"})"), "/devices/1/count", "");
  expectError(imagined(R"({"id": "cpu:1", "count": 2})"), "/devices/1/count", "imagined");
}

TEST(ImaginedDevice, IsAsFastAsWhatItIsLikeUnlessItSaysMore) {
  EXPECT_EQ(good(imagined(R"({"id": "sim:0", "like": "cuda:3"})")).devices[1].speed, 1.0);
}

TEST(ImaginedDevice, StaysInTheResolvedDocument) {
  const Experiment experiment = good(imagined(kTwice));
  const Experiment again = good(experiment.source);
  EXPECT_EQ(again.devices[1].like, DeviceId{"cpu:0"});
  EXPECT_EQ(again.devices[1].speed, 2.0);
  EXPECT_EQ(again.devices[1].maxMemory, Bytes{8} << 30);
}

TEST(ImaginedDevice, NamesARealDeviceAsItsLike) {
  expectError(imagined(R"({"id": "sim:0", "like": "sim:1"})"), "/devices/1/like", "real device");
  expectError(imagined(R"({"id": "sim:0", "like": "tpu"})"), "/devices/1/like", "real device");
  expectError(imagined(R"({"id": "sim:0", "like": 3})"), "/devices/1/like", "");
  expectError(imagined(R"({"id": "sim:0"})"), "/devices/1", "like");
  expectError(imagined("\"sim:0\""), "/devices/1", "like");
}

TEST(ImaginedDevice, RefusesASpeedThatIsNone) {
  for (const char* speed : {"0", "-1", "1e-9", "1e9", "\"fast\"", "null"}) {
    expectError(
        imagined(R"({"id": "sim:0", "like": "cpu:0", "speed": )" + std::string(speed) + "}"),
        "/devices/1/speed", "");
  }
}

TEST(ImaginedDevice, IsWhatARealDeviceCannotBe) {
  expectError(imagined(R"({"id": "cpu:1", "speed": 2.0})"), "/devices/1/speed", "real device");
  expectError(imagined(R"({"id": "cpu:1", "like": "cpu:0"})"), "/devices/1/like", "real device");
}

TEST(ImaginedDevice, DoesNotRunAndSaysSoAtItsPlace) {
  Json document = imagined(kTwice);
  const Status refused = requireReal(good(document));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::Invalid);
  EXPECT_EQ(refused.error().context, "/devices/1");
  EXPECT_NE(refused.error().message.find("\"two\""), std::string::npos);
  document["variants"][1]["include"] = false;
  EXPECT_TRUE(requireReal(good(document)));
}

TEST(ImaginedDevice, IsLookedUpByWhatItIsLike) {
  const Experiment experiment = good(imagined(R"({"id": "sim:0", "like": "cuda:1"})"));
  EXPECT_EQ(realDevice(experiment.devices, {"sim:0"}), DeviceId{"cuda:1"});
  EXPECT_EQ(realDevice(experiment.devices, {"cpu:0"}), DeviceId{"cpu:0"});
  EXPECT_EQ(realDevice(experiment.devices, {"sim:9"}), DeviceId{"sim:9"});
  EXPECT_EQ(realDevice(*findDevice(experiment.devices, {"sim:0"})), DeviceId{"cuda:1"});
  EXPECT_TRUE(isCpuWorker(experiment.devices, {"cpu:0"}));
  EXPECT_FALSE(isCpuWorker(experiment.devices, {"sim:0"}));
}

}  // namespace
}  // namespace stagelane::plan
