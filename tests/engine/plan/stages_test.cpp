#include "engine/plan/stages.h"

#include <gtest/gtest.h>

#include "tests/engine/plan/documents.h"

namespace stagelane::plan {
namespace {

using testing::parsed;

model::ModelPtr resnet() { return *model::modelFromArgument("resnet18"); }
model::ModelPtr toy() { return *model::modelFromArgument("toy"); }

std::vector<DeviceId> devices(std::initializer_list<const char*> names) {
  std::vector<DeviceId> answer;
  for (const char* name : names) answer.push_back({name});
  return answer;
}

TEST(DevicesOfBlocks, TakesTheLongestMatchingPrefix) {
  const auto found = devicesOfBlocks(
      *resnet(), parsed(R"({"": "cpu:0", "layer2": "cpu:1", "layer2.1": "cpu:0"})"), "/p");
  ASSERT_TRUE(found);
  const auto model = resnet();
  EXPECT_EQ((*found)[static_cast<std::size_t>(model->blockNamed("layer2.0")->value)].value,
            "cpu:1");
  EXPECT_EQ((*found)[static_cast<std::size_t>(model->blockNamed("layer2.1")->value)].value,
            "cpu:0");
  EXPECT_EQ(found->front().value, "cpu:0");
  EXPECT_EQ(found->size(), model->blocks.size());
}

TEST(DevicesOfBlocks, ReadsAnIntegerAsAGpu) {
  const auto found = devicesOfBlocks(*toy(), parsed(R"({"": 1})"), "/p");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->front().value, "cuda:1");
  EXPECT_FALSE(devicesOfBlocks(*toy(), parsed(R"({"": -1})"), "/p"));
}

TEST(DevicesOfBlocks, NamesTheUncoveredBlockAndWhatToWrite) {
  const auto found = devicesOfBlocks(
      *resnet(),
      parsed(R"({"conv1":"cpu:0","bn1":"cpu:0","relu":"cpu:0","maxpool":"cpu:0","layer1":"cpu:0",
                 "layer2":"cpu:1","layer4":"cpu:1","avgpool":"cpu:1","fc":"cpu:1"})"),
      "/variants/0/placement");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().context, "/variants/0/placement");
  EXPECT_NE(found.error().message.find("layer3.0"), std::string::npos);
  EXPECT_EQ(found.error().hint, "Add \"layer3\": \"cpu:1\"");
}

TEST(DevicesOfBlocks, AsksForASingleBlockWhereItsGroupIsPartlyPlaced) {
  const auto found = devicesOfBlocks(
      *resnet(),
      parsed(R"({"conv1":"cpu:0","bn1":"cpu:0","relu":"cpu:0","maxpool":"cpu:0","layer1.0":"cpu:0",
                 "layer2":"cpu:1","layer3":"cpu:1","layer4":"cpu:1","avgpool":"cpu:1","fc":"cpu:1"})"),
      "/p");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().hint, "Add \"layer1.1\": \"cpu:0\"");
}

TEST(DevicesOfBlocks, RefusesKeysThatAreNoBlocks) {
  const auto unknown =
      devicesOfBlocks(*resnet(), parsed(R"({"": "cpu:0", "layr1": "cpu:1"})"), "/p");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().context, "/p/layr1");
  EXPECT_NE(unknown.error().hint.find("\"layer1\""), std::string::npos);

  const auto inside =
      devicesOfBlocks(*resnet(), parsed(R"({"": "cpu:0", "layer1.0.conv1": "cpu:1"})"), "/p");
  ASSERT_FALSE(inside);
  EXPECT_NE(inside.error().message.find("inside the block \"layer1.0\""), std::string::npos);

  // A prefix ends at a dot: layer1 does not match layer10.
  const auto part = devicesOfBlocks(*resnet(), parsed(R"({"": "cpu:0", "layer": "cpu:1"})"), "/p");
  EXPECT_FALSE(part);
}

TEST(DevicesOfBlocks, RefusesValuesThatAreNoDevicesWithTheirPlace) {
  for (const char* value : {"\"gpu\"", "null", "true", "1.5", "[]"}) {
    const auto found = devicesOfBlocks(
        *toy(), parsed(std::string(R"({"net1": "cpu:0", "net2": )") + value + "}"), "/p");
    ASSERT_FALSE(found) << value;
    EXPECT_EQ(found.error().context, "/p/net2");
  }
  const auto offload = devicesOfBlocks(*toy(), parsed(R"({"": "disk"})"), "/p");
  ASSERT_FALSE(offload);
  EXPECT_NE(offload.error().message.find("not available in this version"), std::string::npos);
  EXPECT_FALSE(devicesOfBlocks(*toy(), parsed("[]"), "/p"));
  EXPECT_FALSE(devicesOfBlocks(*toy(), parsed("{}"), "/p"));
}

TEST(StagesOf, MakesMaximalRuns) {
  EXPECT_EQ(
      stagesOf(devices({"a", "a", "b", "a"})),
      (std::vector<Stage>{{0, 1, DeviceId{"a"}}, {2, 2, DeviceId{"b"}}, {3, 3, DeviceId{"a"}}}));
  EXPECT_EQ(stagesOf(devices({"a"})), (std::vector<Stage>{{0, 0, DeviceId{"a"}}}));
  EXPECT_TRUE(stagesOf({}).empty());
}

TEST(StagesFromJson, AllowsTwoStagesInARowOnOneDevice) {
  const auto stages = stagesFromJson(*resnet(), parsed(R"([
      {"first": "conv1", "device": "cpu:0"}, {"first": "layer2", "device": "cpu:1"},
      {"first": "layer3.1", "device": "cpu:1"}, {"first": "fc", "device": "cpu:0"}])"),
                                     "/s");
  ASSERT_TRUE(stages) << describe(stages.error());
  ASSERT_EQ(stages->size(), 4u);
  const auto block = [&](const char* name) {
    return static_cast<std::size_t>(resnet()->blockNamed(name)->value);
  };
  EXPECT_EQ((*stages)[0], (Stage{0, block("layer1.1"), DeviceId{"cpu:0"}}));
  EXPECT_EQ((*stages)[1], (Stage{block("layer2.0"), block("layer3.0"), DeviceId{"cpu:1"}}));
  EXPECT_EQ((*stages)[2], (Stage{block("layer3.1"), block("avgpool"), DeviceId{"cpu:1"}}));
  EXPECT_EQ((*stages)[3], (Stage{block("fc"), block("fc"), DeviceId{"cpu:0"}}));
}

TEST(StagesToJson, ReadsBackTheSame) {
  const Json json = parsed(R"([{"first": "net1", "device": "cpu:0"},
                               {"first": "relu", "device": "cpu:1"}])");
  const auto stages = stagesFromJson(*toy(), json, "/s");
  ASSERT_TRUE(stages) << describe(stages.error());
  EXPECT_EQ(stagesToJson(*toy(), *stages), json);
}

TEST(StagesFromJson, RefusesWhatDoesNotCoverTheChainInOrder) {
  const auto errorOf = [](const char* text) {
    const auto stages = stagesFromJson(*toy(), parsed(text), "/s");
    EXPECT_FALSE(stages) << text;
    return stages ? std::string() : stages.error().context;
  };
  EXPECT_EQ(errorOf("[]"), "/s");
  EXPECT_EQ(errorOf("{}"), "/s");
  EXPECT_EQ(errorOf(R"([{"first": "relu", "device": "cpu:0"}])"), "/s/0/first");
  EXPECT_EQ(
      errorOf(R"([{"first": "net1", "device": "cpu:0"}, {"first": "net1", "device": "cpu:1"}])"),
      "/s/1/first");
  EXPECT_EQ(errorOf(R"([{"first": "net1", "device": "cpu:0"}, {"first": "net2", "device": "cpu:1"},
                        {"first": "relu", "device": "cpu:0"}])"),
            "/s/2/first");
  EXPECT_EQ(errorOf(R"([{"first": "", "device": "cpu:0"}])"), "/s/0/first");
  EXPECT_EQ(errorOf(R"([{"first": "net1", "device": "x"}])"), "/s/0/device");
  EXPECT_EQ(errorOf(R"([{"first": "net1"}])"), "/s/0");
  EXPECT_EQ(errorOf(R"([{"first": "net1", "device": "cpu:0", "last": "fc"}])"), "/s/0/last");
}

TEST(PlacementOf, IsTheShortestObjectAndReadsBackTheSame) {
  const auto model = resnet();
  std::vector<DeviceId> all(model->blocks.size(), DeviceId{"cpu:0"});
  EXPECT_EQ(placementOf(*model, all).dump(), R"({"":"cpu:0"})");
  for (std::size_t i = 6; i < all.size(); ++i) all[i] = {"cpu:1"};
  EXPECT_EQ(
      placementOf(*model, all).dump(),
      R"({"conv1":"cpu:0","bn1":"cpu:0","relu":"cpu:0","maxpool":"cpu:0","layer1":"cpu:0",)"
      R"("layer2":"cpu:1","layer3":"cpu:1","layer4":"cpu:1","avgpool":"cpu:1","fc":"cpu:1"})");
  // Every cut of the chain, and a device that is used twice.
  for (std::size_t cut = 0; cut <= all.size(); ++cut) {
    for (std::size_t i = 0; i < all.size(); ++i)
      all[i] = {i < cut || i % 7 == 0 ? "cpu:0" : "cpu:1"};
    const auto back = devicesOfBlocks(*model, placementOf(*model, all), "/p");
    ASSERT_TRUE(back);
    EXPECT_EQ(*back, all);
    EXPECT_EQ(deviceOfEachBlock(stagesOf(all), all.size()), all);
  }
}

}  // namespace
}  // namespace stagelane::plan
