#include "engine/plan/accelerate_placement.h"

#include <gmock/gmock.h>

namespace stagelane::plan {
namespace {

model::Model zoo(const std::string& name) { return **model::modelFromArgument(name); }

std::vector<DeviceSpec> devices(const std::vector<std::optional<Bytes>>& limits) {
  std::vector<DeviceSpec> answer;
  for (std::size_t i = 0; i < limits.size(); ++i) {
    answer.push_back({DeviceId{"cpu:" + std::to_string(i)}, limits[i], {}, 1.0});
  }
  return answer;
}

Bytes bytesOf(const ModuleTree& tree) {
  Bytes sum = 0;
  for (const TreeParameter& parameter : tree.parameters) sum += parameter.bytes;
  for (const TreeBuffer& buffer : tree.buffers) sum += buffer.bytes;
  for (const ModuleTree& child : tree.children) sum += bytesOf(child);
  return sum;
}

TEST(ModuleTree, OfResNet50HasPyTorchsBytes) {
  const ModuleTree tree = moduleTreeOf(zoo("resnet50"), model::DType::Float32);
  // 25 557 032 parameters, 53 120 running statistics, 53 counters.
  EXPECT_EQ(bytesOf(tree), 4 * (25'557'032 + 53'120) + 8 * 53);
  EXPECT_EQ(tree.className, "ResNet");
  EXPECT_EQ(tree.children.front().name, "conv1");
}

TEST(AccelerateStages, FillTheDevicesInOrderAndKeepBlocksWhole) {
  const model::Model model = zoo("resnet50");
  const auto stages = accelerateStages(model, model::DType::Float32, devices({{}, {}}),
                                       AccelerateMode::Balanced, "");
  ASSERT_TRUE(stages) << stages.error().message;
  ASSERT_EQ(stages->size(), 2u);
  EXPECT_EQ((*stages)[0].group.first().value, "cpu:0");
  EXPECT_EQ((*stages)[1].lastBlock, model.blocks.size() - 1);
  EXPECT_EQ(
      accelerateStages(model, model::DType::Float32, devices({{}, {}}), AccelerateMode::Auto, "")
          .value(),
      *stages);
}

TEST(AccelerateStages, SequentialFillsTheFirstDeviceFirst) {
  const model::Model model = zoo("resnet50");
  const auto all = accelerateStages(model, model::DType::Float32, devices({{}, {}}),
                                    AccelerateMode::Sequential, "");
  ASSERT_TRUE(all);
  EXPECT_EQ(all->size(), 1u);
  const auto limited = accelerateStages(
      model, model::DType::Float32, devices({Bytes{60} << 20, {}}), AccelerateMode::Sequential, "");
  ASSERT_TRUE(limited);
  EXPECT_EQ(limited->size(), 2u);
}

TEST(AccelerateStages, SayWhichBlockHasNoRoom) {
  const auto stages = accelerateStages(zoo("resnet50"), model::DType::Float32,
                                       devices({Bytes{50} << 20, Bytes{1} << 20}),
                                       AccelerateMode::Sequential, "/variants/0/placement");
  ASSERT_FALSE(stages);
  EXPECT_EQ(stages.error().code, ErrorCode::Invalid);
  EXPECT_EQ(stages.error().context, "/variants/0/placement");
  EXPECT_THAT(stages.error().message, testing::HasSubstr("layer"));
  EXPECT_THAT(stages.error().message, testing::HasSubstr("disk"));
}

}  // namespace
}  // namespace stagelane::plan
