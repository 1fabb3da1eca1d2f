/// Edits of strategies whose stages have replicas.

#include <gtest/gtest.h>

#include "ui/session/document/device_edits.h"
#include "ui/session/document/plan_edits.h"
#include "ui/session/document/variant_choices.h"

namespace stagelane::ui {
namespace {

const std::vector<DeviceId> kFour{{"cpu:0"}, {"cpu:1"}, {"cpu:2"}, {"cpu:3"}};

model::ModelPtr toyModel() {
  auto built = model::buildModel({{"zoo", "toy"}}, "/model", "");
  EXPECT_TRUE(built.has_value());
  return *built;
}

Json document(const Json& variant) {
  return {{"data", {{"batch_size", 16}}}, {"variants", Json::array({variant})}};
}

PlanShape twoStages() { return {{kFour[0], kFour[0], kFour[1]}, {true, false, true}}; }

const plan::StrategyRow& withWholeModel() {
  for (const plan::StrategyRow& row : plan::strategies()) {
    if (row.replicates && row.available) return row;
  }
  return plan::singleStrategy();
}

TEST(ReplicaEdits, AStrategyWithTheWholeModelOnEachDeviceHasNoPlacement) {
  const auto model = toyModel();
  const Json before = document({{"name", "a"},
                                {"strategy", plan::pipelineStrategy().name},
                                {"schedule", "1f1b"},
                                {"split_size", 4},
                                {"chunks", 1},
                                {"replicas", 2},
                                {"bucket_mb", 5},
                                {"placement", {{"", "cpu:0"}}},
                                {"recompute", "always"}});
  const Json after = withStrategy(before, 0, withWholeModel(), *model, twoStages());
  const Json expected =
      document({{"name", "a"}, {"strategy", withWholeModel().name}, {"recompute", "always"}});
  EXPECT_EQ(after, expected) << after.dump();
  EXPECT_EQ(withShape(after, 0, *model, twoStages()), after) << "it has no shape to set";
  for (const VariantChoice& choice : allVariantChoices()) {
    if (choice.member != VariantMember::Placement) continue;
    EXPECT_FALSE(offered(after, 0, choice));
    EXPECT_TRUE(offered(before, 0, choice));
  }
}

TEST(ReplicaEdits, SwitchingBackPlacesTheBlocksAgain) {
  const auto model = toyModel();
  const Json replicated =
      document({{"name", "a"}, {"strategy", withWholeModel().name}, {"split_size", 2}});
  const Json after = withStrategy(replicated, 0, plan::pipelineStrategy(), *model, twoStages());
  const Json& variant = after["variants"][0];
  EXPECT_TRUE(variant.contains("placement"));
  EXPECT_EQ(variant["schedule"], plan::pipelineStrategy().schedule);
  EXPECT_EQ(variant["split_size"], 4) << "the split of a replica's share means something else";
}

TEST(ReplicaEdits, ReplicasHaveAnUndoableNumberAndRoomForAllDevices) {
  const auto model = toyModel();
  const Json before = document({{"name", "a"},
                                {"strategy", plan::pipelineStrategy().name},
                                {"schedule", "gpipe"},
                                {"split_size", 4},
                                {"placement", "optimal"}});
  const Json two = withReplicas(before, 0, 2, *model, std::nullopt);
  EXPECT_EQ(two["variants"][0]["replicas"], 2);
  EXPECT_EQ(two["variants"][0]["placement"], "optimal");
  EXPECT_EQ(withReplicas(two, 0, 1, *model, std::nullopt), before);

  EXPECT_EQ(shapeForReplicas(twoStages(), {1, 1, 1}, kFour, 2), twoStages());
  const PlanShape three{{kFour[0], kFour[1], kFour[2]}, {true, true, true}};
  const PlanShape smaller = shapeForReplicas(three, {1, 1, 1}, kFour, 2);
  EXPECT_EQ(stagesOf(smaller).size(), 2U) << "three devices of each replica would need six";
  EXPECT_EQ(smaller.deviceOfBlock.back(), kFour[1]);
}

TEST(ReplicaEdits, StagesThatListTheirReplicasKeepTheLists) {
  const auto model = toyModel();
  const Json before =
      document({{"name", "a"},
                {"strategy", plan::pipelineStrategy().name},
                {"stages", Json::parse(R"([{"first": "net1", "device": ["cpu:0", "cpu:2"]},
                                           {"first": "net2", "device": ["cpu:1", "cpu:3"]}])")}});
  const plan::DeviceGroup first({kFour[0], kFour[2]});
  const plan::DeviceGroup second({kFour[1], kFour[3]});
  const PlanShape shape = shapeOf({{0, 1, first}, {2, 2, second}}, 3);
  ASSERT_EQ(shape.groups.size(), 2U);
  const Json after = withShape(before, 0, *model, moved(shape, {1}, kFour[1]));
  EXPECT_EQ(after["variants"][0]["stages"],
            Json::parse(R"([{"first": "net1", "device": ["cpu:0", "cpu:2"]},
                            {"first": "relu", "device": ["cpu:1", "cpu:3"]}])"))
      << after.dump();
  const Json one = withReplicas(before, 0, 1, *model, std::nullopt);
  EXPECT_EQ(one["variants"][0]["stages"][1]["device"], "cpu:1");
}

TEST(ReplicaEdits, ARemovedDeviceLeavesTheListsOfItsStages) {
  std::vector<plan::DeviceSpec> devices;
  for (const DeviceId& id : kFour) devices.push_back({id, {}, {}, 1.0});
  Json before =
      document({{"name", "a"},
                {"strategy", plan::pipelineStrategy().name},
                {"stages", Json::parse(R"([{"first": "net1", "device": ["cpu:0", "cpu:1"]}])")}});
  before["devices"] = {"cpu:0", "cpu:1", "cpu:2", "cpu:3"};
  const Json after = withoutDevice(before, devices, 1);
  EXPECT_EQ(after["variants"][0]["stages"][0]["device"], "cpu:0");
}

TEST(ReplicaEdits, TheReasonNamesTheStrategy) {
  EXPECT_FALSE(placementRefusal(plan::pipelineStrategy(), twoStages()));
  EXPECT_TRUE(placementRefusal(withWholeModel(), twoStages()));
  for (const plan::StrategyRow& row : plan::strategies()) {
    if (!row.asynchronous) continue;
    EXPECT_TRUE(placementRefusal(row, twoStages()));
    EXPECT_FALSE(placementRefusal(row, {{kFour[1], kFour[1]}, {true, false}}));
  }
}

}  // namespace
}  // namespace stagelane::ui
