#include "ui/session/document/plan_edits.h"

#include <gtest/gtest.h>

#include "ui/session/document/split_sizes.h"

namespace stagelane::ui {
namespace {

const DeviceId kFirst{"cpu:0"};
const DeviceId kSecond{"cpu:1"};

PlanShape fourBlocks() { return {{kFirst, kFirst, kSecond, kSecond}, {true, false, true, false}}; }

model::ModelPtr toyModel() {
  auto built = model::buildModel({{"zoo", "toy"}}, "/model", "");
  EXPECT_TRUE(built.has_value());
  return *built;
}

Json document(const Json& variant) {
  return {{"data", {{"batch_size", 20}}}, {"variants", Json::array({variant})}};
}

TEST(PlanShape, StagesAndBack) {
  const auto stages = stagesOf(fourBlocks());
  ASSERT_EQ(stages.size(), 2U);
  EXPECT_EQ(stages[0].lastBlock, 1U);
  EXPECT_EQ(stages[1].group.first(), kSecond);
  EXPECT_EQ(shapeOf(stages, 4), fourBlocks());
}

TEST(PlanShape, AMoveMakesCutsWhereDevicesChange) {
  const PlanShape after = moved(fourBlocks(), {0}, kSecond);
  EXPECT_EQ(after.deviceOfBlock[0], kSecond);
  EXPECT_EQ(after.stageBegins, (std::vector<bool>{true, true, true, false}));
}

TEST(PlanShape, AMoveThatJoinsTwoStagesRemovesTheirCut) {
  const PlanShape after = moved(fourBlocks(), {2, 3}, kFirst);
  EXPECT_EQ(after.stageBegins, (std::vector<bool>{true, false, false, false}));
}

TEST(PlanShape, AnExplicitCutInsideADeviceStays) {
  PlanShape shape = fourBlocks();
  shape.stageBegins[1] = true;
  const PlanShape after = moved(shape, {3}, kFirst);
  EXPECT_TRUE(after.stageBegins[1]);
}

TEST(PlanShape, ACutBringsTheNearestBoundary) {
  const PlanShape after = cutBefore(fourBlocks(), 1, {kFirst, kSecond});
  EXPECT_EQ(after.deviceOfBlock, (std::vector<DeviceId>{kFirst, kSecond, kSecond, kSecond}));
  const PlanShape later = cutBefore(fourBlocks(), 3, {kFirst, kSecond});
  EXPECT_EQ(later.deviceOfBlock, (std::vector<DeviceId>{kFirst, kFirst, kFirst, kSecond}));
}

TEST(PlanShape, TheFirstCutSendsTheRestToTheNextDevice) {
  const PlanShape one{{kFirst, kFirst, kFirst}, {true, false, false}};
  const PlanShape after = cutBefore(one, 1, {kFirst, kSecond});
  EXPECT_EQ(after.deviceOfBlock, (std::vector<DeviceId>{kFirst, kSecond, kSecond}));
  EXPECT_EQ(cutBefore(one, 1, {kFirst}), one) << "with one device there is nowhere to go";
}

TEST(PlanShape, ACutOpensAStageOnADeviceThatHasNone) {
  const DeviceId third{"cpu:2"};
  const PlanShape after = cutBefore(fourBlocks(), 1, {kFirst, kSecond, third});
  EXPECT_EQ(after.deviceOfBlock, (std::vector<DeviceId>{kFirst, third, kSecond, kSecond}));
  EXPECT_EQ(after.stageBegins, (std::vector<bool>{true, true, true, false}));
  const PlanShape behind = cutBefore(fourBlocks(), 3, {third, kFirst, kSecond});
  EXPECT_EQ(behind.deviceOfBlock, (std::vector<DeviceId>{kFirst, kFirst, kSecond, third}));
  EXPECT_EQ(cutBefore(fourBlocks(), 2, {kFirst, kSecond, third}), fourBlocks())
      << "there is a cut already";
  const PlanShape full = cutBefore(after, 3, {kFirst, kSecond, third});
  EXPECT_EQ(full.deviceOfBlock, (std::vector<DeviceId>{kFirst, third, third, kSecond}))
      << "no device is left: the nearest boundary moves";
}

TEST(PlanShape, TheNextUnusedDeviceComesAfterTheStagesOwn) {
  const std::vector<DeviceId> devices{{"cpu:0"}, {"cpu:1"}, {"cpu:2"}, {"cpu:3"}};
  const PlanShape one{{devices[1], devices[1]}, {true, false}};
  EXPECT_EQ(cutBefore(one, 1, devices).deviceOfBlock[1], devices[2]);
  const PlanShape last{{devices[3], devices[3]}, {true, false}};
  EXPECT_EQ(cutBefore(last, 1, devices).deviceOfBlock[1], devices[0]);
}

TEST(PlanShape, AnEvenCutGivesEachDeviceItsShare) {
  const PlanShape shape = evenlyCut({1, 1, 1, 1}, {kFirst, kSecond});
  EXPECT_EQ(shape, fourBlocks());
  EXPECT_TRUE(evenlyCut({}, {kFirst}).deviceOfBlock.empty());
}

TEST(PlanEdits, ASingleThatComesToUseTwoDevicesIsModelParallel) {
  const auto model = toyModel();
  ASSERT_EQ(model->blocks.size(), 3U);
  const Json before = document({{"name", "a"}, {"strategy", "single"}, {"device", "cpu:0"}});
  const PlanShape shape{{kFirst, kFirst, kSecond}, {true, false, true}};
  const Json after = withShape(before, 0, *model, shape);
  EXPECT_EQ(after["variants"][0]["strategy"], "model_parallel");
  EXPECT_FALSE(after["variants"][0].contains("device"));
  EXPECT_TRUE(after["variants"][0].contains("placement"));
}

TEST(PlanEdits, ASingleMovedAsAWholeStaysSingle) {
  const auto model = toyModel();
  const Json before = document({{"name", "a"}, {"strategy", "single"}, {"device", "cpu:0"}});
  const PlanShape shape{{kSecond, kSecond, kSecond}, {true, false, false}};
  const Json after = withShape(before, 0, *model, shape);
  EXPECT_EQ(after["variants"][0]["strategy"], "single");
  EXPECT_EQ(after["variants"][0]["device"], "cpu:1");
}

TEST(PlanEdits, APipelineGetsAScheduleAndASplit) {
  const auto model = toyModel();
  const PlanShape shape{{kFirst, kFirst, kSecond}, {true, false, true}};
  const Json before = document({{"name", "a"}, {"strategy", "single"}, {"device", "cpu:0"}});
  const Json after = withStrategy(before, 0, plan::pipelineStrategy(), *model, shape);
  EXPECT_EQ(after["variants"][0]["schedule"], "1f1b");
  EXPECT_EQ(after["variants"][0]["split_size"], 5);
  const Json back = withStrategy(after, 0, plan::wholeBatchStrategy(), *model, shape);
  EXPECT_FALSE(back["variants"][0].contains("split_size"));
  EXPECT_TRUE(back["variants"][0].contains("placement"));
}

TEST(PlanEdits, DevicesLeftToTheMachineKeepTheirNumbers) {
  Json before = document({{"name", "a"}, {"placement", {{"net1", "cpu:0"}, {"net2", "cpu:1"}}}});
  before["devices"] = {{"auto", 2}};
  const Json after = withDeviceNumbers(before, 0, {kFirst, kSecond});
  EXPECT_EQ(after["variants"][0]["placement"]["net2"], "#1");
  before["devices"] = {"cpu:0", "cpu:1"};
  EXPECT_EQ(withDeviceNumbers(before, 0, {kFirst, kSecond}), before);
}

TEST(PlanEdits, RenamingTakesReferencesAlong) {
  Json before = document({{"name", "a"}, {"placement", {{"", "cpu:0"}}}});
  before["variants"].push_back({{"name", "b"}, {"placement", "same as: a"}});
  const Json after = withRenamedVariant(before, 0, QStringLiteral("c"));
  EXPECT_EQ(after["variants"][1]["placement"], "same as: c");
}

TEST(PlanEdits, DeletingLeavesReferencesTheirPlacement) {
  Json before = document({{"name", "a"}, {"placement", {{"", "cpu:0"}}}});
  before["variants"].push_back({{"name", "b"}, {"placement", "same as: a"}});
  const Json after = withoutVariant(before, 0);
  ASSERT_EQ(after["variants"].size(), 1U);
  EXPECT_EQ(after["variants"][0]["placement"], (Json{{"", "cpu:0"}}));
}

TEST(PlanEdits, ACopyHasANameOfItsOwn) {
  const Json once = withDuplicatedVariant(document({{"name", "a"}, {"id", "a"}}), 0);
  const Json twice = withDuplicatedVariant(once, 0);
  ASSERT_EQ(twice["variants"].size(), 3U);
  EXPECT_EQ(twice["variants"][1]["name"], "a copy 2");
  EXPECT_EQ(twice["variants"][2]["name"], "a copy");
  EXPECT_FALSE(twice["variants"][1].contains("id"));
}

TEST(SplitSizes, OneNumberOrAList) {
  EXPECT_EQ(*splitFromText(QStringLiteral(" 8 "), 20), Json(8));
  EXPECT_EQ(*splitFromText(QStringLiteral("4, 8,16"), 20), (Json{4, 8, 16}));
  EXPECT_EQ(splitText(Json{4, 8}).toStdString(), "4, 8");
}

TEST(SplitSizes, WhatDoesNotCutTheBatchIsRefused) {
  for (const char* text : {"", "0", "21", "-1", "many", "4, x"}) {
    EXPECT_FALSE(splitFromText(QString::fromLatin1(text), 20).has_value()) << text;
  }
}

}  // namespace
}  // namespace stagelane::ui
