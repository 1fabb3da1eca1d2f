#include "ui/plan/plan_model/plan_problems.h"

#include <gtest/gtest.h>
#include <memory>

#include "engine/base/json.h"
#include "engine/plan/experiment.h"
#include "tests/ui/plan/plan_fixtures.h"
#include "ui/plan/plan_model/memory_parts.h"
#include "ui/plan/plan_model/plan_figures.h"
#include "ui/plan/plan_model/shown_problems.h"
#include "ui/session/document/document.h"
#include "ui/session/prediction/predictor.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

Json document(const char* devices, const char* second) {
  Json json = Json::parse(R"({
    "stagelane": 1, "name": "r", "model": {"zoo": "resnet18", "num_classes": 10},
    "input": {"shape": [3, 64, 64]}, "data": {"batch_size": 16, "labels": "one_hot"}, "repeat": 1,
    "variants": [{"name": "p", "strategy": "pipeline", "schedule": "1f1b", "split_size": 4,
      "placement": {"conv1": "cpu:0", "bn1": "cpu:0", "relu": "cpu:0", "maxpool": "cpu:0",
        "layer1": "cpu:0", "layer2": "cpu:0", "layer3": "cpu:0", "layer4": "X", "avgpool": "X",
        "fc": "X"}}]})");
  json["devices"] = Json::parse(devices);
  for (auto& entry : json["variants"][0]["placement"].items()) {
    if (entry.value() == "X") entry.value() = second;
  }
  return json;
}

class Problems : public testing::Test {
 protected:
  void load(const Json& json) {
    m_session.document().load(json, {}, {});
    m_plan = std::make_unique<PlanModel>(&m_session);
    settle();
  }
  void settle() const { sample::settle(*m_plan); }

  Session m_session;
  std::unique_ptr<PlanModel> m_plan;
};

TEST_F(Problems, AreNoneInASoundPlan) {
  load(document(R"(["cpu:0", "cpu:1"])", "cpu:1"));
  EXPECT_TRUE(m_plan->shownProblems().all().empty());
  EXPECT_FALSE(m_plan->shownProblems().fix());
}

TEST_F(Problems, OfAnImaginedDeviceAreMendedByMovingItsBlocksToARealOne) {
  load(document(R"(["cpu:0", {"id": "sim:0", "like": "cpu:0", "speed": 2}])", "sim:0"));
  ASSERT_EQ(m_plan->shownProblems().all().size(), 1U);
  EXPECT_EQ(m_plan->shownProblems().word({"sim:0"}).toStdString(), "imagined");
  EXPECT_TRUE(m_plan->shownProblems().word({"cpu:0"}).isEmpty());
  ASSERT_TRUE(m_plan->shownProblems().fix());
  m_plan->shownProblems().applyFix();
  EXPECT_TRUE(m_plan->shownProblems().all().empty());
  m_session.document().undoStack().undo();
  EXPECT_EQ(m_plan->shownProblems().all().size(), 1U);
}

TEST_F(Problems, OfMemoryAreMendedByASuggestionThatFits) {
  load(document(R"([{"id": "cpu:0", "max_memory": "36MiB"}, "cpu:1"])", "cpu:1"));
  ASSERT_FALSE(m_plan->shownProblems().all().empty());
  EXPECT_EQ(m_plan->shownProblems().word({"cpu:0"}).toStdString(), "over budget");
  ASSERT_TRUE(m_plan->shownProblems().fix()) << "a split or a cut that fits exists";
  m_plan->shownProblems().applyFix();
  settle();
  EXPECT_TRUE(m_plan->shownProblems().all().empty());
}

TEST_F(Problems, WithoutAWayOutLeaveThatOfTheNext) {
  // No plan fits a mebibyte.
  load(document(R"([{"id": "cpu:0", "max_memory": "1MiB"},
                    {"id": "sim:0", "like": "cpu:0", "speed": 2, "max_memory": "1MiB"}])",
                "sim:0"));
  ASSERT_EQ(m_plan->shownProblems().all().size(), 3U);
  EXPECT_EQ(m_plan->shownProblems().all().front().kind, ProblemKind::OverBudget);
  EXPECT_EQ(m_plan->shownProblems().all().back().kind, ProblemKind::Imagined);
  const auto fix = m_plan->shownProblems().fix();
  ASSERT_TRUE(fix);
  EXPECT_EQ(fix->text.toStdString(), "Move layer4.0–fc to cpu:0");
  EXPECT_EQ(fix->problem, m_plan->shownProblems().all().back().text);
}

TEST_F(Problems, OfAScheduleThatWantsOneRunAreMendedByPuttingBlocksTogether) {
  Json json = document(R"(["cpu:0", "cpu:1"])", "cpu:1");
  json["variants"][0]["placement"]["conv1"] = "cpu:1";
  load(json);
  ASSERT_EQ(m_plan->shownProblems().all().size(), 1U);
  EXPECT_EQ(m_plan->shownProblems().all().front().kind, ProblemKind::Schedule);
  ASSERT_TRUE(m_plan->shownProblems().fix());
  m_plan->shownProblems().applyFix();
  settle();
  EXPECT_TRUE(m_plan->shownProblems().all().empty());
  EXPECT_FALSE(m_session.predictor().error());
}

TEST_F(Problems, OfTiedBlocksAreNoneButTheChipSaysThem) {
  Json json = Json::parse(R"({
    "stagelane": 1, "name": "g", "model": {"zoo": "gpt", "layers": 2, "heads": 2, "width": 16,
    "vocab": 32, "context": 8, "tie": true}, "input": {"shape": [8], "dtype": "int64"},
    "data": {"batch_size": 4, "labels": "class"}, "loss": "cross_entropy",
    "devices": ["cpu:0", "cpu:1"], "repeat": 1,
    "variants": [{"name": "p", "strategy": "model_parallel", "placement": "optimal"}]})");
  load(json);
  ASSERT_TRUE(m_plan->ready());
  ASSERT_FALSE(m_plan->model().ties.empty());
  std::size_t tied = 0;
  for (std::size_t block = 0; block < m_plan->model().blocks.size(); ++block) {
    tied += m_plan->figures().tiedAcrossDevices(block).isEmpty() ? 0 : 1;
  }
  EXPECT_EQ(tied, 2U);
  EXPECT_TRUE(m_plan->shownProblems().all().empty());
  for (std::size_t block = 0; block < m_plan->model().blocks.size(); ++block) {
    const QString other = m_plan->figures().tiedAcrossDevices(block);
    const QString name = m_plan->table()->blocks[block].name;
    EXPECT_EQ(m_plan->figures().tiedText({block}).toStdString(),
              other.isEmpty() ? std::string()
                              : (name + QStringLiteral(" is tied to ") + other).toStdString() +
                                    ", gradients are summed across devices");
  }
}

TEST_F(Problems, OfAnImaginedDeviceAreMendedWithoutBreakingTheNextRule) {
  Json json =
      document(R"(["cpu:0", "cpu:1", {"id": "sim:0", "like": "cpu:0", "speed": 2}])", "sim:0");
  for (const char* block : {"layer2", "layer3"}) json["variants"][0]["placement"][block] = "cpu:1";
  load(json);
  ASSERT_TRUE(m_plan->shownProblems().fix());
  EXPECT_EQ(m_plan->shownProblems().fix()->text.toStdString(), "Move layer4.0–fc to cpu:1");
  m_plan->shownProblems().applyFix();
  settle();
  EXPECT_TRUE(m_plan->shownProblems().all().empty());
}

TEST_F(Problems, OfMemoryAreMendedByTheFirstSuggestionThatMayBeTaken) {
  PlanSuggestions suggestions;
  for (const SuggestionKind kind : {SuggestionKind::Split, SuggestionKind::Placement}) {
    PlanSuggestion fitting;
    fitting.kind = kind;
    suggestions.found.push_back(fitting);
  }
  const PlanProblem problem{ProblemKind::OverBudget, {"cpu:0"}, {}, {}};
  PlanQuestion question;
  const auto kindOfFix = [&] {
    const auto fix = fixOf(problem, question, &suggestions);
    return fix ? std::optional(fix->suggestion->kind) : std::nullopt;
  };
  EXPECT_EQ(kindOfFix(), SuggestionKind::Placement);
  question.mayTake = [](const PlanSuggestion& one) { return one.kind == SuggestionKind::Split; };
  EXPECT_EQ(kindOfFix(), SuggestionKind::Split);
  // If none may, the first gives the reason.
  question.mayTake = [](const PlanSuggestion&) { return false; };
  EXPECT_EQ(kindOfFix(), SuggestionKind::Placement);
}

TEST(MemoryParts, AddUpToThePeak) {
  BlockTable table;
  table.blocks.resize(2);
  table.blocks[0].parameterBytes = 100;
  table.blocks[0].bufferBytes = 10;
  table.blocks[1].parameterBytes = 50;
  PlanShape shape;
  shape.deviceOfBlock = {{"cpu:0"}, {"cpu:0"}};
  plan::Experiment experiment;
  experiment.optimizer.kind = "adam";
  experiment.data.batches = 2;
  const MemoryParts parts = memoryParts(experiment, table, shape, {"cpu:0"}, 1000);
  EXPECT_EQ(parts.parameters, 160);
  EXPECT_EQ(parts.gradients, 150);
  EXPECT_EQ(parts.optimizer, 300);
  EXPECT_EQ(parts.activations, 390);
  const MemoryParts less = memoryParts(experiment, table, shape, {"cpu:0"}, 200);
  EXPECT_EQ(less.parameters + less.gradients + less.optimizer + less.activations, 200);
  experiment.task = plan::Task::Infer;
  EXPECT_EQ(memoryParts(experiment, table, shape, {"cpu:0"}, 1000).gradients, 0);
}

}  // namespace
}  // namespace stagelane::ui
