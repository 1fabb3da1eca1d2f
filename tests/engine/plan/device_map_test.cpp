#include "engine/plan/device_map.h"

#include <gmock/gmock.h>
#include "tests/support/paths.h"

namespace stagelane::plan {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

MapDevice gpu(int number) { return {number, ""}; }
const MapDevice kCpu{std::nullopt, "cpu"};
const MapDevice kDisk{std::nullopt, "disk"};

/// The model of accelerate's own tests: linear1 64 bytes, batchnorm 72, linear2 100.
ModuleTree threeLayers() {
  const auto module = [](const char* name, const char* type, std::vector<TreeParameter> parameters,
                         std::vector<TreeBuffer> buffers = {}) {
    return ModuleTree{name, type, std::move(parameters), std::move(buffers), {}};
  };
  ModuleTree tree{"", "ModelForTest", {}, {}, {}};
  tree.children = {module("linear1", "Linear", {{"weight", 48, 0}, {"bias", 16, 1}}),
                   module("batchnorm", "BatchNorm1d", {{"weight", 16, 2}, {"bias", 16, 3}},
                          {{"running_mean", 16}, {"running_var", 16}, {"num_batches_tracked", 8}}),
                   module("linear2", "Linear", {{"weight", 80, 4}, {"bias", 20, 5}})};
  return tree;
}

TEST(DeviceMap, AnswersTheCasesOfAccelerate) {
  const auto document = readJsonFile(checkout::testData() + "/device_map/cases.json");
  ASSERT_TRUE(document);
  int raised = 0;
  for (const Json& one : (*document)["cases"]) {
    const auto answer = answerDeviceMapCase(one, "");
    ASSERT_TRUE(answer) << one["id"];
    for (const char* key : {"map", "map_unclean", "balanced", "map_balanced"}) {
      EXPECT_EQ((*answer)[key], one[key]) << one["id"] << " " << key;
    }
    raised += one["map"].contains("raises") ? 1 : 0;
  }
  EXPECT_GT(raised, 0);
}

TEST(DeviceMap, KeepsRoomForTheLargestLayerOnTheFirstGpu) {
  const MemoryList memory{{gpu(0), 200}, {gpu(1), 200}};
  EXPECT_THAT(
      *inferDeviceMap(threeLayers(), memory, {}),
      ElementsAre(Pair("batchnorm", gpu(1)), Pair("linear1", gpu(0)), Pair("linear2", gpu(1))));
  EXPECT_THAT(*inferDeviceMap(threeLayers(), {{gpu(0), 1000}}, {}), ElementsAre(Pair("", gpu(0))));
  EXPECT_THAT(*inferDeviceMap(threeLayers(), {}, {}), ElementsAre(Pair("", kDisk)));
  EXPECT_THAT(*inferDeviceMap(threeLayers(), {{kCpu, 1000}}, {}), ElementsAre(Pair("", kCpu)));
}

TEST(DeviceMap, PutsTiedModulesTogether) {
  ModuleTree tree = threeLayers();
  tree.children[2].parameters = {{"weight", 48, 0}, {"bias", 16, 5}};
  const MemoryList memory{{gpu(0), 400}, {gpu(1), 500}};
  EXPECT_THAT(*inferDeviceMap(tree, memory, {}), ElementsAre(Pair("", gpu(0))));
}

TEST(DeviceMap, FindsAFallbackForAnEmptyDevice) {
  ModuleTree tree = threeLayers();
  // Two layers of 400: beside the memory for one of them, 600 cannot hold the other.
  tree.children[0].parameters[0].bytes = 384;
  tree.children[2].parameters[0].bytes = 380;
  const MemoryList memory{{gpu(0), 600}};
  MapOptions options;
  EXPECT_THAT(*inferDeviceMap(tree, memory, options), ElementsAre(Pair("", kDisk)));
  options.fallback = true;
  EXPECT_THAT(
      *inferDeviceMap(tree, memory, options),
      ElementsAre(Pair("batchnorm", gpu(0)), Pair("linear1", kDisk), Pair("linear2", kDisk)));
}

TEST(BalancedMemory, FillsGpusAlikeAndLeavesTheLastItsOwn) {
  EXPECT_THAT(balancedMemory(threeLayers(), {{gpu(0), 300}, {gpu(1), 300}}, {}, false),
              ElementsAre(Pair(gpu(0), 215), Pair(gpu(1), 300)));
  EXPECT_THAT(balancedMemory(threeLayers(), {{gpu(0), 0}, {gpu(1), 300}, {gpu(2), 300}}, {}, false),
              ElementsAre(Pair(gpu(0), 0), Pair(gpu(1), 215), Pair(gpu(2), 300)));
  EXPECT_THAT(balancedMemory(threeLayers(), {{kCpu, 50}}, {}, true), ElementsAre(Pair(kCpu, 50)));
}

TEST(DeviceMap, NamesThePlaceOfWhatItCannotRead) {
  const auto refused = [](const char* text, const char* place) {
    const auto answer = answerDeviceMapCase(*parseJson(text, "test"), "");
    ASSERT_FALSE(answer) << text;
    EXPECT_EQ(answer.error().context, place) << text;
  };
  refused("[]", "");
  refused(R"({"tree": {"class": "A"}})", "");
  refused(R"({"tree": 3, "max_memory": []})", "/tree");
  refused(R"({"tree": {"class": "A", "params": [["w", -1, "float32", 0]]}, "max_memory": []})",
          "/tree/params/0");
  refused(R"({"tree": {"class": "A", "buffers": [["w", 1, "float3"]]}, "max_memory": []})",
          "/tree/buffers/0/2");
  refused(R"({"tree": {"class": "A", "children": [["w"]]}, "max_memory": []})", "/tree/children/0");
  refused(R"({"tree": {"class": "A"}, "max_memory": [["disk", 1]]})", "/max_memory/0");
  refused(R"({"tree": {"class": "A"}, "max_memory": [], "no_split": [3]})", "/no_split");
  refused(R"({"tree": {"class": "A"}, "max_memory": [], "low_zero": 3})", "/low_zero");
}

}  // namespace
}  // namespace stagelane::plan
