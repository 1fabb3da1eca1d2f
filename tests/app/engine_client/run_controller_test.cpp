#include "app/engine_client/run_controller.h"

#include <gtest/gtest.h>

#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include "engine/base/files.h"
#include "engine/search/resolve.h"
#include "engine/workspace/workspace.h"
#include "tests/app/fake_engine.h"
#include "tests/app/toy_document.h"
#include "tests/support/odd_costs.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/document.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/prediction/costs.h"
#include "ui/session/prediction/predictor.h"
#include "ui/session/run/measured_results.h"
#include "ui/session/run/run_requests.h"
#include "ui/session/session.h"

namespace stagelane::app {
namespace {

/// Three variants whose orders are searched for: `p` and `q` are included, `r` is not.
Json threeAutos() {
  Json document = toy();
  Json variant = document["variants"][0];
  variant["schedule"] = "auto";
  document["variants"] = Json::array();
  for (const char* name : {"p", "q", "r"}) {
    variant["name"] = name;
    variant["include"] = std::string(name) != "r";
    document["variants"].push_back(variant);
  }
  return document;
}

class RunControllerTest : public testing::Test {
 protected:
  void SetUp() override {
    qputenv("STAGELANE_WORKSPACE", m_folder.path().toUtf8());
    m_session.document().load(threeAutos(), {}, {});
    m_controller = std::make_unique<RunController>(&m_session);
    predict();
  }
  void TearDown() override {
    m_controller.reset();  // waits for its index of the workspace
    qunsetenv("STAGELANE_WORKSPACE");
  }

  void predict() {
    const ui::Predictor& predictor = m_session.predictor();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !predictor.busy() && !predictor.stale(); }, 300'000));
  }

  /// The variants of the plan that the engine gets.
  Json run(const QStringList& tabIds) {
    m_session.runRequests().run(tabIds);
    EXPECT_EQ(m_session.runState().phase(), ui::RunPhase::Running);
    EXPECT_TRUE(QTest::qWaitFor(
        [this] { return m_session.runState().phase() == ui::RunPhase::Idle; }, 300'000));
    const auto handed = readJsonFile((m_session.results().folder() / "handed.json").string());
    EXPECT_TRUE(handed) << "the engine was started without --plan";
    return handed ? handed->at("variants") : Json::object();
  }

  static std::string orderOf(const Json& variants, const char* id) {
    return variants.contains(id) ? variants.at(id).value("order", "") : "";
  }

  [[nodiscard]] std::string shownOrder(const char* id) const {
    return m_session.predictor().shownPlan().variantById(id)->order;
  }

  QTemporaryDir m_folder;
  fakes::FakeEngine m_engine{std::string(fakes::kKeepInput) + fakes::kStarted + fakes::kFinished};
  ui::Session m_session;
  std::unique_ptr<RunController> m_controller;
};

TEST_F(RunControllerTest, HandsTheEngineTheOrdersOfAllVariantsThatWereShown) {
  m_session.selection().setTab(QStringLiteral("q"));
  predict();
  const std::string p = shownOrder("p");
  const std::string q = shownOrder("q");
  ASSERT_NE(p, "");
  ASSERT_NE(q, "");
  const Json variants = run({});
  EXPECT_EQ(orderOf(variants, "p"), p);
  EXPECT_EQ(orderOf(variants, "q"), q);
}

TEST_F(RunControllerTest, SearchesForTheOrdersThatWereNotShown) {
  ASSERT_EQ(shownOrder("q"), "");
  const Json variants = run({});
  EXPECT_NE(orderOf(variants, "q"), "");
  EXPECT_EQ(orderOf(variants, "r"), "") << "it does not run";
}

TEST_F(RunControllerTest, SearchesForTheTabThatRunsAlthoughItIsNotIncluded) {
  const Json variants = run({QStringLiteral("r")});
  EXPECT_NE(orderOf(variants, "r"), "");
  EXPECT_EQ(orderOf(variants, "q"), "") << "it does not run";
}

TEST_F(RunControllerTest, HandsOverNoOrderThatWasShownWithOtherCosts) {
  Json document = threeAutos();
  document["data"]["batch_size"] = 16;
  m_session.document().load(document, {}, {});
  predict();
  const std::string before = shownOrder("p");
  const auto costs = std::make_shared<const predict::CostTable>(test::oddCosts());
  m_session.costs().set(costs);
  const std::string handed = orderOf(run({}), "p");
  EXPECT_NE(handed, before);
  const plan::Experiment experiment = *m_session.document().experiment();
  EXPECT_EQ(handed, search::resolve(experiment, costs.get())->variantById("p")->order);
}

TEST_F(RunControllerTest, RefusesAScheduleFileOfAnotherPlanAndNamesItsVariant) {
  const std::filesystem::path file = ui::utf8(m_folder.filePath(QStringLiteral("two.csv")));
  ASSERT_TRUE(writeFileAtomically(file, "0F0,0B0\n1F0,1B0\n"));
  Json document = toy();
  Json variant = document["variants"][0];
  variant["name"] = "filed";
  variant["schedule"] = {{"csv", file.string()}};
  document["variants"].push_back(variant);
  m_session.document().load(document, {}, {});
  predict();
  m_session.runRequests().run({});
  ASSERT_TRUE(QTest::qWaitFor([this] { return m_session.runState().phase() == ui::RunPhase::Idle; },
                              300'000));
  const QString problem = m_session.runState().problem();
  EXPECT_TRUE(problem.contains(QStringLiteral("Variant \"filed\": the schedule has 2 stages")))
      << problem.toStdString();
  EXPECT_TRUE(m_session.results().folder().empty());
  EXPECT_TRUE(std::filesystem::is_empty(workspace::workspaceRoot() / "runs"));
}

TEST_F(RunControllerTest, CancelEndsTheSearchAndLeavesNoFolder) {
  m_session.runRequests().run({});
  ASSERT_TRUE(m_controller->running());
  m_session.runRequests().cancel();
  EXPECT_EQ(m_session.runState().phase(), ui::RunPhase::Idle);
  EXPECT_FALSE(m_controller->running());
  EXPECT_TRUE(m_session.results().folder().empty());
  EXPECT_TRUE(std::filesystem::is_empty(workspace::workspaceRoot() / "runs"));
}

}  // namespace
}  // namespace stagelane::app
