#include "app/cli/size_lines.h"

#include <gtest/gtest.h>

namespace stagelane::app {
namespace {

Json replica(const std::string& device, const Json& input, const Json& output) {
  return {{"device", device}, {"input", input}, {"output", output}};
}

Json event(int batch, const std::vector<std::string>& devices) {
  Json replicas = Json::array();
  for (const std::string& device : devices) replicas.push_back(replica(device, {15, 5}, {15, 2}));
  return {{"event", "sizes"}, {"variant", "data-parallel"}, {"batch", batch},
          {"input", {30, 5}}, {"output", {30, 2}},          {"replicas", replicas}};
}

const std::string kTwoReplicas =
    "\tIn Model: input size torch.Size([15, 5]) output size torch.Size([15, 2])\n"
    "\tIn Model: input size torch.Size([15, 5]) output size torch.Size([15, 2])\n"
    "Outside: input size torch.Size([30, 5]) output_size torch.Size([30, 2])\n";

TEST(SizeLines, BeginWithTheDevicesBeforeTheFirstBatchOnly) {
  EXPECT_EQ(sizeLines(event(0, {"cuda:0", "cuda:1"})), "Let's use 2 GPUs!\n" + kTwoReplicas);
  EXPECT_EQ(sizeLines(event(0, {"cpu:0", "cpu:1"})), "Let's use 2 workers!\n" + kTwoReplicas);
  EXPECT_EQ(sizeLines(event(1, {"cuda:0", "cuda:1"})), kTwoReplicas);
}

TEST(SizeLines, CountADeviceOnceAndSayWhatItIs) {
  const auto first = [](const Json& sizes) {
    const std::string text = sizeLines(sizes);
    return text.substr(0, text.find('\n'));
  };
  EXPECT_EQ(first(event(0, {"cuda:0/1of2", "cuda:0/2of2"})), "Let's use 2 GPUs!");
  EXPECT_EQ(first(event(0, {"cpu:0", "cpu:1", "cpu:0", "cpu:1"})), "Let's use 2 workers!");
  EXPECT_EQ(first(event(0, {"cpu:0"})), "Let's use 1 worker!");
  EXPECT_EQ(first(event(0, {"cpu:0", "cuda:0"})), "Let's use 2 devices!");
}

TEST(SizeLines, ShowReplicasInTheirOrderWithSizesOfAnyRank) {
  Json sizes = event(3, {});
  sizes["input"] = {5};
  sizes["output"] = {5, 3, 8, 8};
  sizes["replicas"] = {replica("cpu:1", {3}, {3, 3, 8, 8}), replica("cpu:0", {2}, {2, 3, 8, 8})};
  EXPECT_EQ(sizeLines(sizes),
            "\tIn Model: input size torch.Size([3]) output size torch.Size([3, 3, 8, 8])\n"
            "\tIn Model: input size torch.Size([2]) output size torch.Size([2, 3, 8, 8])\n"
            "Outside: input size torch.Size([5]) output_size torch.Size([5, 3, 8, 8])\n");
}

TEST(SizeLines, OfAnEventThatIsNotCompleteAreEmpty) {
  for (const char* key : {"batch", "input", "output", "replicas"}) {
    Json sizes = event(0, {"cpu:0"});
    sizes.erase(key);
    EXPECT_EQ(sizeLines(sizes), "") << key;
  }
  for (const char* key : {"device", "input", "output"}) {
    Json sizes = event(0, {"cpu:0"});
    sizes["replicas"][0][key] = 3;
    EXPECT_EQ(sizeLines(sizes), "") << key;
  }
  EXPECT_EQ(sizeLines(Json::object()), "");
}

}  // namespace
}  // namespace stagelane::app
