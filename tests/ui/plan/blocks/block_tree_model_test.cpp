#include "ui/plan/blocks/block_tree_model.h"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QStringList>
#include <memory>

#include "engine/base/json.h"
#include "tests/ui/plan/plan_fixtures.h"
#include "ui/plan/plan_model/plan_moves.h"
#include "ui/session/document/document.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

class BlockTree : public testing::Test {
 protected:
  void SetUp() override {
    m_session.document().load(sample::resnetOnTwo(), {}, {});
    m_plan = std::make_unique<PlanModel>(&m_session);
    m_tree = std::make_unique<BlockTreeModel>(m_plan.get());
    QObject::connect(m_tree.get(), &BlockTreeModel::dataChanged,
                     [this](const QModelIndex& first, const QModelIndex& last) {
                       EXPECT_EQ(first.column(), BlockTreeModel::Device);
                       EXPECT_EQ(first, last);
                       m_told.append(first.data(BlockTreeModel::kPathRole).toString());
                     });
  }
  [[nodiscard]] std::size_t block(const char* name) const {
    return static_cast<std::size_t>(m_plan->model().blockNamed(name)->value);
  }
  [[nodiscard]] QList<int> lanesOf(const char* name) const {
    const QModelIndex row = m_tree->indexOfBlock(block(name));
    return row.siblingAtColumn(BlockTreeModel::Device)
        .data(BlockTreeModel::kLanesRole)
        .value<QList<int>>();
  }

  Session m_session;
  std::unique_ptr<PlanModel> m_plan;
  std::unique_ptr<BlockTreeModel> m_tree;
  QStringList m_told;
};

TEST_F(BlockTree, TellsOfTheRowsWhoseDeviceAMoveChanges) {
  EXPECT_EQ(lanesOf("layer3.0"), QList<int>{1});
  ASSERT_TRUE(m_plan->moves().move({block("layer3.0")}, DeviceId{"cpu:0"}));
  EXPECT_EQ(lanesOf("layer3.0"), QList<int>{0});
  EXPECT_EQ(lanesOf("layer3.1"), QList<int>{1});
  EXPECT_EQ(m_told, (QStringList{"", "layer3", "layer3.0"}));
  const QModelIndex group = m_tree->indexOfBlock(block("layer3.0")).parent();
  EXPECT_EQ(group.siblingAtColumn(BlockTreeModel::Device)
                .data(BlockTreeModel::kLanesRole)
                .value<QList<int>>(),
            (QList<int>{0, 1}));
}

TEST_F(BlockTree, KeepsItsRowsWhereOnlyFiguresChange) {
  m_tree->disconnect();
  const QSignalSpy resets(m_tree.get(), &BlockTreeModel::modelReset);
  const QSignalSpy told(m_tree.get(), &BlockTreeModel::dataChanged);
  const QPersistentModelIndex row(m_tree->indexOfBlock(block("layer3.0")));
  const auto time = [&] { return row.sibling(row.row(), BlockTreeModel::Time).data().toDouble(); };
  const double before = time();
  Json document = sample::resnetOnTwo();
  document["variants"][0]["split_size"] = 1;
  m_session.document().apply(QStringLiteral("Split size"), document);
  EXPECT_EQ(resets.count(), 0);
  EXPECT_GT(told.count(), 0);
  EXPECT_TRUE(row.isValid());
  EXPECT_LT(time(), before);
  EXPECT_EQ(row, m_tree->indexOfBlock(block("layer3.0")));
}

TEST_F(BlockTree, IsMadeAnewOfAnotherModel) {
  const QSignalSpy resets(m_tree.get(), &BlockTreeModel::modelReset);
  Json document = sample::resnetOnTwo();
  document["model"] = {{"zoo", "resnet34"}};
  m_session.document().apply(QStringLiteral("Model"), document);
  EXPECT_EQ(resets.count(), 1);
  EXPECT_TRUE(m_tree->indexOfBlock(block("layer3.5")).isValid());
}

TEST_F(BlockTree, TellsOfNothingWhereNoBlockMoves) {
  Json document = sample::resnetOnTwo();
  document["variants"][0]["split_size"] = 4;
  document["variants"][0]["schedule"] = "gpipe";
  m_session.document().apply(QStringLiteral("Schedule"), document);
  EXPECT_TRUE(m_told.isEmpty()) << m_told.join(' ').toStdString();
}

}  // namespace
}  // namespace stagelane::ui
