#include "engine/plan/hosts.h"

#include <gtest/gtest.h>

#include "engine/plan/device.h"
#include "engine/plan/experiment.h"

namespace stagelane::plan {
namespace {

TEST(HostOf, IsTheNameBeforeTheDevice) {
  EXPECT_EQ(hostOf(DeviceId{"box/cuda:0"}), "box");
  EXPECT_EQ(hostOf(DeviceId{"me@box.org/cuda:0/1of2@1"}), "me@box.org");
  EXPECT_EQ(hostOf(DeviceId{"cuda:0/1of2@1"}), "");
  EXPECT_EQ(hostOf(DeviceId{"cpu:0"}), "");
  EXPECT_EQ(hostOf(DeviceId{""}), "");
  EXPECT_EQ(hostOf(DeviceId{"box/"}), "");
}

TEST(WithoutHost, IsTheNameOnTheHost) {
  EXPECT_EQ(withoutHost({"me@box/cuda:0/1of2"}).value, "cuda:0/1of2");
  EXPECT_EQ(withoutHost({"cuda:0/1of2"}).value, "cuda:0/1of2");
  EXPECT_EQ(onHost("box", {"cpu:1"}).value, "box/cpu:1");
  EXPECT_EQ(onHost("", {"cpu:1"}).value, "cpu:1");
}

TEST(NamesRank, LooksBehindTheHost) {
  EXPECT_TRUE(namesRank({"cpu:0@1"}));
  EXPECT_TRUE(namesRank({"me@box/cpu:0@1"}));
  EXPECT_FALSE(namesRank({"me@box/cpu:0"}));
}

TEST(ParseDevice, ReadsADeviceOfAHostAsOneOfThisMachine) {
  const auto device = parseDevice({"me@box/cuda:1/2of4@5"});
  ASSERT_TRUE(device);
  EXPECT_EQ(device->kind, DeviceKind::GpuPartition);
  EXPECT_EQ(device->index, 1);
  EXPECT_EQ(device->rank, 5);
  EXPECT_TRUE(isCpuWorker({"box/cpu:0"}));
  EXPECT_TRUE(isGpu({"box/cuda:0"}));
}

TEST(ParseDevice, RefusesHostsThatSshCannotBeGiven) {
  for (const char* text : {"/cpu:0", "-oProxyCommand=x/cpu:0", "a b/cpu:0", "a/b/cpu:0", "box/cpu",
                           "box/sim:0", "box/", "box/cpu:0/1of2"}) {
    EXPECT_FALSE(parseDevice({text})) << text;
  }
}

Experiment on(const std::vector<std::string>& devices) {
  Experiment experiment;
  for (const std::string& device : devices) {
    experiment.devices.push_back({DeviceId{device}, {}, {}, 1.0});
  }
  return experiment;
}

TEST(HostOfExperiment, IsTheOneOfAllDevices) {
  EXPECT_EQ(hostOf(on({"box/cpu:0", "box/cuda:1"})).value_or("?"), "box");
  EXPECT_EQ(hostOf(on({"cpu:0", "cuda:1"})).value_or("?"), "");
  for (const auto& mixed : {on({"cpu:0", "box/cpu:0"}), on({"box/cpu:0", "other/cpu:0"})}) {
    const auto host = hostOf(mixed);
    ASSERT_FALSE(host);
    EXPECT_EQ(host.error().code, ErrorCode::Invalid);
    EXPECT_EQ(host.error().context, "/devices/1");
  }
}

TEST(HostOfExperiment, IgnoresImaginedDevices) {
  Experiment experiment = on({"box/cpu:0", "sim:0"});
  experiment.devices[1].like = DeviceId{"cuda:0"};
  EXPECT_EQ(hostOf(experiment).value_or("?"), "box");
}

TEST(HostOfDocument, ReadsNamesAndObjectsAndIgnoresTheRest) {
  const auto host = [](const char* devices) {
    return hostOfDocument(Json{{"devices", Json::parse(devices)}}).value_or("?");
  };
  EXPECT_EQ(host(R"(["box/cpu:0", {"id": "box/cuda:0", "max_memory": 5}])"), "box");
  EXPECT_EQ(host(R"({"auto": 2})"), "");
  EXPECT_EQ(host(R"([{"auto": 2}])"), "");
  EXPECT_EQ(host(R"(["box/cpu:0", {"id": "sim:0", "like": "cpu:0"}])"), "box");
  EXPECT_EQ(host(R"(["box/cpu:0", "cpu:0"])"), "?");
  EXPECT_EQ(hostOfDocument(Json::array()).value_or("?"), "");
  EXPECT_EQ(hostOfDocument(Json(5)).value_or("?"), "");
}

TEST(RequireHost, AcceptsOnlyTheOwnName) {
  EXPECT_TRUE(requireHost(on({"box/cpu:0"}), "box"));
  EXPECT_TRUE(requireHost(on({"cpu:0"}), ""));
  EXPECT_FALSE(requireHost(on({"box/cpu:0"}), ""));
  EXPECT_FALSE(requireHost(on({"cpu:0"}), "box"));
  const Status other = requireHost(on({"box/cpu:0", "other/cpu:0"}), "box");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::Invalid);
  EXPECT_EQ(other.error().context, "/devices/1");
}

}  // namespace
}  // namespace stagelane::plan
