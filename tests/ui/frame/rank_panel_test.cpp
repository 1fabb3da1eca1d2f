#include "ui/frame/rank_panel.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QTableView>

#include "ui/session/run/measured_results.h"
#include "ui/session/run/run_state.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

std::vector<RunRank> ranks(int count) {
  std::vector<RunRank> all;
  for (int rank = 0; rank < count; ++rank) {
    RunRank one;
    one.rank = rank;
    one.host = QStringLiteral("host%1").arg(rank);
    one.state = QStringLiteral("running");
    one.lastSeenMs = 1200;
    all.push_back(one);
  }
  return all;
}

TEST(RankPanel, IsHiddenForOneProcessAndFoldsOutForMore) {
  Session session;
  RankPanel panel(&session);
  const auto* table = panel.findChild<QTableView*>(QStringLiteral("rankTable"));
  ASSERT_NE(table, nullptr);
  const QAbstractItemModelTester tester(table->model(),
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  EXPECT_TRUE(panel.isHidden());
  EXPECT_FALSE(panel.toggle()->isVisible());
  session.runState().setPhase(RunPhase::Running);
  session.runState().setRanks(ranks(1));
  EXPECT_FALSE(panel.toggle()->isVisible());
  session.runState().setRanks(ranks(2));
  EXPECT_TRUE(panel.toggle()->isVisible());
  EXPECT_EQ(panel.toggle()->text(), QStringLiteral("2 ranks"));
  EXPECT_TRUE(panel.isHidden()) << "it is folded until it is asked for";
  panel.toggle()->setChecked(true);
  EXPECT_FALSE(panel.isHidden());
  const QAbstractItemModel* model = table->model();
  EXPECT_EQ(model->data(model->index(1, RankTableModel::Host)).toString(), QStringLiteral("host1"));
  EXPECT_EQ(model->data(model->index(1, RankTableModel::LastSeen)).toString(),
            QStringLiteral("1.2 s"));
}

TEST(RankPanel, ARankWithoutAPartInTheTurnWaits) {
  Session session;
  RankPanel panel(&session);
  session.runState().setPhase(RunPhase::Running);
  std::vector<RunRank> both = ranks(2);
  for (RunRank& rank : both) {
    rank.variantId = QStringLiteral("ddp");
    rank.repeat = 2;
    rank.doing = QStringLiteral("B of stage 0");
  }
  session.runState().setRanks(both);
  const QAbstractItemModel* model =
      panel.findChild<QTableView*>(QStringLiteral("rankTable"))->model();
  const auto text = [model](int column) { return model->data(model->index(1, column)).toString(); };
  RunProgress progress;
  progress.variantId = QStringLiteral("ddp");
  progress.of = 5;
  session.runState().setProgress(progress);
  EXPECT_EQ(text(RankTableModel::Repeat), QStringLiteral("2 of 5"));
  EXPECT_EQ(text(RankTableModel::Action), QStringLiteral("B of stage 0"));
  progress.variantId = QStringLiteral("single");
  session.runState().setProgress(progress);
  EXPECT_EQ(text(RankTableModel::Repeat), QStringLiteral("waiting"));
  EXPECT_EQ(text(RankTableModel::Action), QString());
}

TEST(RankPanel, ShowsTheRanksOfTheResultAfterTheRun) {
  Session session;
  RankPanel panel(&session);
  session.runState().setPhase(RunPhase::Running);
  session.runState().setRanks(ranks(3));
  record::VariantResult variant;
  variant.ranks = {{0, "a", 1, "done", std::nullopt, {}}, {1, "b", 2, "failed", std::nullopt, {}}};
  record::RunResult run;
  run.variants = {variant};
  session.runState().setPhase(RunPhase::Idle);
  session.results().set(std::make_shared<const record::RunResult>(run));
  EXPECT_EQ(panel.toggle()->text(), QStringLiteral("2 ranks"));
  const QAbstractItemModel* model =
      panel.findChild<QTableView*>(QStringLiteral("rankTable"))->model();
  EXPECT_EQ(model->data(model->index(1, RankTableModel::State)).toString(),
            QStringLiteral("failed"));
}

}  // namespace
}  // namespace stagelane::ui
