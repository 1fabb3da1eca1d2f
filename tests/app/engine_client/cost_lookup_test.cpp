#include "app/engine_client/cost_lookup.h"

#include <gtest/gtest.h>
#include <filesystem>

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <fstream>
#include <memory>

#include "engine/base/json.h"
#include "engine/workspace/calibration_store.h"
#include "tests/app/toy_document.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/document.h"
#include "ui/session/prediction/costs.h"
#include "ui/session/run/run_state.h"
#include "ui/session/session.h"

namespace stagelane::app {
namespace {

class CostLookupTest : public testing::Test {
 protected:
  void SetUp() override {
    qputenv("STAGELANE_WORKSPACE", m_workspace.path().toUtf8());
    m_session.document().load(toy(), {}, {});
  }
  void TearDown() override { qunsetenv("STAGELANE_WORKSPACE"); }

  /// As if `stagelane calibrate` had run, on a processor of this name; `threads` 0 suits any
  /// worker.
  std::filesystem::path store(const std::string& cpu = workspace::thisMachine().cpu,
                              int threads = 0) const {
    predict::CostTable table;
    for (const char* name : {"net1", "relu", "net2"}) {
      predict::BlockCosts block;
      block.name = name;
      block.threads = threads;
      predict::CostPoint point;
      point.samples = 2;
      point.forward = point.backwardInput = point.backwardWeight = 1000;
      point.backward = 2000;
      block.points = {point};
      table.blocks.push_back(std::move(block));
    }
    table.origin = {{"environment", {{"cpu", cpu}}}};
    return workspace::storeCalibration(ui::utf8(m_workspace.path()),
                                       *m_session.document().experiment(), table)
        .value();
  }
  void settle() const {
    QElapsedTimer timer;
    timer.start();
    while (!m_costs->settled() && timer.elapsed() < 300000) {
      QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
    }
  }
  void start() {
    m_costs = std::make_unique<CostLookup>(&m_session);
    settle();
  }
  void change(const char* pointer, const Json& value) {
    Json document = m_session.document().json();
    document[Json::json_pointer(pointer)] = value;
    m_session.document().apply(QStringLiteral("change"), document);
  }

  QTemporaryDir m_workspace;
  ui::Session m_session;
  std::unique_ptr<CostLookup> m_costs;
};

TEST_F(CostLookupTest, NothingIsKnownInAnEmptyWorkspace) {
  start();
  EXPECT_EQ(m_session.costs().table(), nullptr);
}

TEST_F(CostLookupTest, WhatWasCalibratedHereIsFound) {
  store();
  start();
  ASSERT_NE(m_session.costs().table(), nullptr);
  EXPECT_EQ(m_session.costs().table()->basis, predict::Basis::Calibrated);
}

TEST_F(CostLookupTest, WhatAnotherProcessorMeasuredIsStale) {
  if (workspace::thisMachine().cpu.empty()) {
    GTEST_SKIP() << "this machine does not name its CPU";
  }
  store("Another CPU");
  start();
  ASSERT_NE(m_session.costs().table(), nullptr);
  EXPECT_EQ(m_session.costs().table()->basis, predict::Basis::Stale);
  ASSERT_EQ(m_session.costs().facts().differences.size(), 1);
  EXPECT_TRUE(m_session.costs().facts().differences[0].contains(QStringLiteral("Another CPU")));
}

TEST_F(CostLookupTest, CostsOfAnotherInputAreGoneBeforeAnybodyAsks) {
  store();
  start();
  change("/data/batch_size", 16);
  EXPECT_NE(m_session.costs().table(), nullptr);
  change("/optimizer", {{"kind", "sgd"}, {"lr", 0.1}, {"momentum", 0.9}});
  EXPECT_EQ(m_session.costs().table(), nullptr);
  settle();
  EXPECT_EQ(m_session.costs().table(), nullptr);
  m_session.document().undoStack().undo();
  settle();
  EXPECT_NE(m_session.costs().table(), nullptr);
}

TEST_F(CostLookupTest, WorkersOfOtherThreadsAreNotCovered) {
  store(workspace::thisMachine().cpu, 61);
  start();
  EXPECT_EQ(m_session.costs().table(), nullptr);
}

TEST_F(CostLookupTest, ARunsEndLooksAgainAndTellsNothingTwice) {
  start();
  int told = 0;
  QObject::connect(&m_session.costs(), &ui::Costs::changed, [&told] { ++told; });
  store();
  for (int run = 0; run < 2; ++run) {
    m_session.runState().setPhase(ui::RunPhase::Running);
    EXPECT_EQ(m_session.costs().table() != nullptr, run == 1);
    m_session.runState().setPhase(ui::RunPhase::Idle);
    settle();
    EXPECT_NE(m_session.costs().table(), nullptr);
  }
  EXPECT_EQ(told, 1);
}

TEST_F(CostLookupTest, ADamagedFileIsAsGoodAsNone) {
  std::ofstream(store()) << "{";
  start();
  EXPECT_EQ(m_session.costs().table(), nullptr);
}

}  // namespace
}  // namespace stagelane::app
