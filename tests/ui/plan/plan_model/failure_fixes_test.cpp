#include "ui/plan/plan_model/failure_fixes.h"

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QElapsedTimer>
#include <memory>

#include "engine/base/json.h"
#include "engine/record/run_record.h"
#include "ui/plan/plan_model/plan_model.h"
#include "ui/plan/plan_model/shown_problems.h"
#include "ui/session/document/document.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/run/measured_results.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

Json experiment(const char* variant) {
  Json json = Json::parse(R"({"stagelane": 1, "name": "toy",
    "model": {"zoo": "toy"}, "loss": "mse",
    "input": {"shape": [10]}, "data": {"batch_size": 8, "labels": "normal"},
    "devices": ["cpu:0", "cpu:1"], "repeat": 5,
    "variants": [{"name": "single", "strategy": "single"}]})");
  json["variants"].push_back(Json::parse(variant));
  return json;
}

class FailureFixes : public testing::Test {
 protected:
  void runOutOfMemory(const char* variantText) { runOutOfMemory(experiment(variantText)); }
  void runOutOfMemory(const Json& document) {
    fail(document, {FailureKind::OutOfMemory, "pipe", {"cpu:1"}});
  }
  void fail(const Json& document, const Failure& failure) {
    m_session.document().load(document, {}, {});
    m_plan = std::make_unique<PlanModel>(&m_session);
    m_session.selection().setVariant(QStringLiteral("pipe"));
    m_session.results().start("/runs/1", std::make_shared<const Json>(m_session.document().json()));
    auto run = std::make_shared<record::RunResult>();
    run->status = record::RunStatus::Failed;
    run->failure = failure;
    record::VariantResult pipe;
    pipe.id = "pipe";
    pipe.status = record::RunStatus::Failed;
    run->variants = {pipe};
    m_session.results().set(run);
    settle();
  }

  void settle() const {
    QElapsedTimer timer;
    timer.start();
    while (m_plan->busy() && timer.elapsed() < 20000) {
      QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
    }
  }

  [[nodiscard]] std::string fixText() const {
    const auto fix = m_plan->shownProblems().fix();
    return fix ? fix->text.toStdString() : std::string("none");
  }

  Session m_session;
  std::unique_ptr<PlanModel> m_plan;
};

TEST_F(FailureFixes, APlanThatRanOutOfMemoryIsBrokenUntilItIsChanged) {
  runOutOfMemory(R"({"name": "pipe", "strategy": "pipeline", "schedule": "gpipe", "split_size": 2,
                     "placement": {"net1": "cpu:0", "relu": "cpu:0", "net2": "cpu:1"}})");
  ASSERT_EQ(m_plan->shownProblems().all().size(), 1U);
  EXPECT_EQ(m_plan->shownProblems().word({"cpu:1"}).toStdString(), "out of memory");
  EXPECT_TRUE(m_plan->shownProblems().word({"cpu:0"}).isEmpty());
  EXPECT_EQ(fixText(), "Schedule 1f1b: fewer micro-batches at a time");
  m_plan->shownProblems().applyFix();
  settle();
  EXPECT_TRUE(m_plan->shownProblems().all().empty());
  EXPECT_EQ(m_session.document().json()["variants"][1]["schedule"], "1f1b");
  m_session.document().undoStack().undo();
  settle();
  EXPECT_EQ(m_plan->shownProblems().all().size(), 1U);
}

TEST_F(FailureFixes, EveryScheduleThatKeepsAllMicroBatchesHasOneThatKeepsFewer) {
  runOutOfMemory(R"({"name": "pipe", "strategy": "pipeline", "schedule": "tutorial",
                     "split_size": 2,
                     "placement": {"net1": "cpu:0", "relu": "cpu:0", "net2": "cpu:1"}})");
  EXPECT_EQ(fixText(), "Schedule 1f1b: fewer micro-batches at a time");
}

TEST_F(FailureFixes, AnEngineThatWasKilledSaysNothingAgainstThePlan) {
  fail(experiment(R"({"name": "pipe", "strategy": "pipeline", "schedule": "gpipe", "split_size": 2,
                      "placement": {"net1": "cpu:0", "relu": "cpu:0", "net2": "cpu:1"}})"),
       {FailureKind::Killed, "pipe", {"cpu:1"}});
  EXPECT_TRUE(m_plan->shownProblems().all().empty());
}

TEST_F(FailureFixes, AnEditOfAnotherVariantFixesNothing) {
  runOutOfMemory(R"({"name": "pipe", "strategy": "pipeline", "schedule": "1f1b", "split_size": 4,
                     "placement": {"net1": "cpu:0", "relu": "cpu:0", "net2": "cpu:1"}})");
  Json edited = m_session.document().json();
  edited["variants"][0]["name"] = "alone";
  edited["variants"][1]["include"] = false;
  m_session.document().apply(QStringLiteral("Rename"), edited);
  settle();
  EXPECT_EQ(fixText(), "Split size 2: smaller micro-batches");
  m_session.selection().setVariant(QStringLiteral("alone"));
  settle();
  EXPECT_TRUE(m_plan->shownProblems().all().empty()) << "it was another variant";
}

TEST_F(FailureFixes, WhereMicroBatchesCannotBeSmallerActivationsAreComputedTwice) {
  runOutOfMemory(R"({"name": "pipe", "strategy": "pipeline", "schedule": "1f1b", "split_size": 1,
                     "placement": {"net1": "cpu:0", "relu": "cpu:0", "net2": "cpu:1"}})");
  EXPECT_EQ(fixText(), "Recompute always: activations are not kept");
  m_plan->shownProblems().applyFix();
  settle();
  EXPECT_TRUE(m_plan->shownProblems().all().empty());
}

TEST_F(FailureFixes, ALoopThatKeepsAllMicroBatchesIsFirstComputedTwice) {
  Json document = experiment(R"({"name": "pipe", "strategy": "pipeline", "schedule": "looped-bfs",
      "split_size": 2, "stages": [{"first": "fc1", "device": "cpu:0"},
      {"first": "fc2", "device": "cpu:1"}, {"first": "fc3", "device": "cpu:0"},
      {"first": "fc4", "device": "cpu:1"}]})");
  document["model"] = {{"zoo", "mlp"}, {"depth", 4}, {"width", 10}, {"in", 10}};
  runOutOfMemory(document);
  EXPECT_EQ(fixText(), "Recompute always: activations are not kept");
  document["variants"][1]["recompute"] = "always";
  runOutOfMemory(document);
  EXPECT_EQ(fixText(), "Split size 1: smaller micro-batches");
}

TEST_F(FailureFixes, WithoutMicroBatchesThereIsNoOneEdit) {
  runOutOfMemory(
      R"({"name": "pipe", "strategy": "model_parallel", "placement": {"net1": "cpu:0", "relu": "cpu:0", "net2": "cpu:1"}})");
  EXPECT_EQ(m_plan->shownProblems().all().size(), 1U);
  EXPECT_EQ(fixText(), "none");
}

}  // namespace
}  // namespace stagelane::ui
