#include "ui/plan/plan_model/schedule_fixes.h"

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QElapsedTimer>
#include <memory>
#include <vector>

#include "engine/base/json.h"
#include "engine/plan/experiment.h"
#include "ui/kit/text/formatting.h"
#include "ui/plan/plan_model/plan_model.h"
#include "ui/plan/plan_model/shown_problems.h"
#include "ui/session/document/document.h"
#include "ui/session/document/schedule_choices.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/prediction/predictor.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

/// ResNet-18 on two devices, placed by hand in one run each.
Json placedByHand(const char* schedule, int splitSize) {
  Json document = Json::parse(R"({
    "stagelane": 1, "name": "r", "model": {"zoo": "resnet18", "num_classes": 10},
    "input": {"shape": [3, 64, 64]}, "data": {"batch_size": 16, "labels": "one_hot"}, "repeat": 1,
    "devices": ["cpu:0", "cpu:1"],
    "variants": [{"name": "p", "strategy": "pipeline",
      "placement": {"": "cpu:0", "layer3": "cpu:1", "layer4": "cpu:1", "avgpool": "cpu:1",
                    "fc": "cpu:1"}},
      {"name": "single", "strategy": "single", "device": "cpu:0"}]})");
  document["variants"][0]["schedule"] = schedule;
  document["variants"][0]["split_size"] = splitSize;
  return document;
}

class ScheduleFixes : public testing::Test {
 protected:
  void load(const Json& json) {
    m_session.document().load(json, {}, {});
    m_plan = std::make_unique<PlanModel>(&m_session);
    settle();
  }
  void settle() const {
    QElapsedTimer timer;
    timer.start();
    while ((m_session.predictor().stale() || m_session.document().planning()) &&
           timer.elapsed() < 300000) {
      QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
    }
  }
  [[nodiscard]] const Json& variant() const { return m_session.document().json()["variants"][0]; }
  [[nodiscard]] QString fixText() const {
    const auto fix = m_plan->shownProblems().fix();
    return fix ? fix->text : QString();
  }
  /// The fix ends the problem, and is one step.
  void expectMended() {
    const Json before = m_session.document().json();
    m_plan->shownProblems().applyFix();
    settle();
    EXPECT_FALSE(m_session.predictor().error())
        << utf8(sentenceText(*m_session.predictor().error()));
    EXPECT_TRUE(m_plan->shownProblems().all().empty());
    m_session.document().undoStack().undo();
    EXPECT_EQ(m_session.document().json(), before);
  }

  Session m_session;
  std::unique_ptr<PlanModel> m_plan;
};

TEST_F(ScheduleFixes, AVOfAPlanInOneRunEachIsCutIntoTwiceAsManyStages) {
  load(placedByHand("zbv", 4));
  ASSERT_EQ(m_plan->shownProblems().all().size(), 2U) << "both devices have one stage";
  EXPECT_EQ(m_plan->shownProblems().word({"cpu:0"}), QStringLiteral("1 stage, not 2"));
  EXPECT_EQ(m_plan->shownProblems().word({"cpu:1"}), QStringLiteral("1 stage, not 2"));
  EXPECT_TRUE(
      m_plan->shownProblems().all().front().text.contains(QStringLiteral("two stages on each")))
      << utf8(m_plan->shownProblems().all().front().text);
  EXPECT_EQ(fixText(), QStringLiteral("Cut the model into 4 stages"));
  m_plan->shownProblems().applyFix();
  settle();
  const plan::Variant* cut = m_session.selection().variant();
  ASSERT_NE(cut, nullptr);
  ASSERT_EQ(cut->stages.size(), 4U);
  EXPECT_EQ(cut->stages[1].group.first().value, "cpu:1");
  EXPECT_EQ(cut->stages[2].group.first().value, "cpu:1");
  EXPECT_EQ(cut->stages[3].group.first().value, "cpu:0");
  m_session.document().undoStack().undo();
  expectMended();
}

TEST_F(ScheduleFixes, StagesOfALoopAreJoinedForAScheduleOfOneStageEach) {
  Json document = placedByHand("zb-h1", 4);
  document["variants"][0].erase("placement");
  document["variants"][0]["stages"] = Json::parse(R"([
    {"first": "conv1", "device": "cpu:0"}, {"first": "layer1.0", "device": "cpu:1"},
    {"first": "layer2.0", "device": "cpu:0"}, {"first": "layer3.0", "device": "cpu:1"}])");
  load(document);
  EXPECT_EQ(m_plan->shownProblems().word({"cpu:0"}), QStringLiteral("not contiguous"));
  EXPECT_EQ(fixText(), QStringLiteral("Make each device's blocks contiguous"));
  expectMended();
}

TEST_F(ScheduleFixes, NeighborsOnOneDeviceAreJoined) {
  Json document = placedByHand("gpipe", 4);
  document["variants"][0].erase("placement");
  document["variants"][0]["stages"] = Json::parse(R"([
    {"first": "conv1", "device": "cpu:0"}, {"first": "layer1.0", "device": "cpu:0"},
    {"first": "layer2.0", "device": "cpu:1"}])");
  load(document);
  EXPECT_EQ(m_plan->shownProblems().word({"cpu:0"}), QStringLiteral("2 stages, not 1"));
  EXPECT_TRUE(m_plan->shownProblems().word({"cpu:1"}).isEmpty()) << "it breaks nothing";
  EXPECT_EQ(fixText(), QStringLiteral("Join the stages of each device"));
  expectMended();
}

TEST_F(ScheduleFixes, MicroBatchesThatAScheduleCannotHaveGetTheNearestSplitSize) {
  Json document = placedByHand("dualpipev", 6);
  document["variants"][0]["placement"] = "optimal";
  load(document);
  EXPECT_EQ(m_plan->shownProblems().word({"cpu:0"}), QStringLiteral("3 micro-batches"));
  EXPECT_EQ(fixText(), QStringLiteral("Split size 5: 4 micro-batches"));
  expectMended();
}

TEST_F(ScheduleFixes, AFixThatFixesNothingIsNotOffered) {
  Json document = placedByHand("gpipe", 5);
  document["data"]["batch_size"] = 1'000'000;
  document["variants"][0]["schedule"] = {"gpipe", "1f1b"};
  load(document);
  ASSERT_FALSE(m_plan->shownProblems().all().empty());
  EXPECT_TRUE(m_plan->shownProblems().all().front().text.contains(QStringLiteral("micro-batches")))
      << utf8(m_plan->shownProblems().all().front().text);
  EXPECT_EQ(fixText(), QString()) << "no schedule makes fewer of them";
}

TEST_F(ScheduleFixes, MoreStagesThanBlocksGetAnotherSchedule) {
  Json document = placedByHand("zbv", 4);
  document["model"] = {{"zoo", "toy"}};
  document["input"] = {{"shape", {10}}};
  document["data"]["labels"] = "normal";
  document["variants"][0]["placement"] = "optimal";
  load(document);
  ASSERT_EQ(m_plan->shownProblems().all().size(), 1U);
  EXPECT_TRUE(m_plan->shownProblems().all().front().device.value.empty()) << "no device breaks it";
  EXPECT_TRUE(m_plan->shownProblems().all().front().text.contains(QStringLiteral("3 blocks")))
      << utf8(m_plan->shownProblems().all().front().text);
  EXPECT_EQ(fixText(), QStringLiteral("Schedule 1f1b"));
  expectMended();
}

TEST_F(ScheduleFixes, ChunksThatThePlacementDoesNotHaveAreCut) {
  Json document = placedByHand("looped-bfs", 4);
  document["variants"][0]["chunks"] = 2;
  load(document);
  ASSERT_FALSE(m_plan->shownProblems().all().empty());
  EXPECT_EQ(fixText(), QStringLiteral("Cut the model into 4 stages"));
  expectMended();
}

TEST_F(ScheduleFixes, EveryScheduleCanBeChosenAndHasAWayOut) {
  for (const Json& placement :
       {Json("optimal"), placedByHand("1f1b", 3)["variants"][0]["placement"]}) {
    Json document = placedByHand("1f1b", 3);
    document["variants"][0]["placement"] = placement;
    load(document);
    const plan::Variant variant = *m_session.selection().variant();
    for (const ScheduleChoice& choice :
         scheduleChoices(document, 0, *m_session.document().experiment(), variant)) {
      m_session.document().apply(QStringLiteral("Schedule"),
                                 withSchedule(document, 0, choice.name));
      settle();
      EXPECT_EQ(m_plan->shownProblems().all().empty(), choice.refusal.isEmpty())
          << utf8(choice.name);
      if (!choice.refusal.isEmpty()) {
        EXPECT_TRUE(m_plan->shownProblems().fix()) << utf8(choice.name);
        expectMended();
      }
      m_session.document().apply(QStringLiteral("Back"), document);
    }
  }
}

TEST(InRuns, KeepsHowManyBlocksEachDeviceHasAndTheirOrder) {
  PlanShape shape;
  for (const char* device : {"b", "a", "b", "c", "a"}) shape.deviceOfBlock.push_back({device});
  shape.stageBegins.assign(5, true);
  const PlanShape after = inRuns(shape);
  std::string order;
  for (const DeviceId& device : after.deviceOfBlock) order += device.value;
  EXPECT_EQ(order, "bbaac");
  EXPECT_EQ(after.stageBegins, (std::vector<bool>{true, false, true, false, true}));
}

TEST(CutInto, GivesEachStageAboutTheSameTimeOnTheDeviceOfItsRow) {
  const PlanShape shape = cutInto({1, 1, 2, 4, 4}, {0, 1, 1, 0}, {{"a"}, {"b"}});
  std::string order;
  for (const DeviceId& device : shape.deviceOfBlock) order += device.value;
  EXPECT_EQ(order.front(), 'a');
  EXPECT_EQ(order.back(), 'a');
  EXPECT_EQ(stagesOf(shape).size(), 4U);
}

}  // namespace
}  // namespace stagelane::ui
