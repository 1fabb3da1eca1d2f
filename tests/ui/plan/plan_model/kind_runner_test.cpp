#include "ui/plan/plan_model/kind_runner.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <memory>

#include "tests/ui/plan/plan_fixtures.h"
#include "ui/plan/plan_model/chip_locks.h"
#include "ui/plan/plan_model/plan_model.h"
#include "ui/plan/plan_model/plan_moves.h"
#include "ui/plan/prediction/kind_table_model.h"
#include "ui/session/document/document.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

class Kinds : public testing::Test {
 protected:
  void SetUp() override {
    m_session.document().load(sample::resnetOnTwo(), {}, {});
    m_plan = std::make_unique<PlanModel>(&m_session);
    ASSERT_TRUE(m_plan->ready());
  }

  void settle() const { sample::settle(*m_plan); }
  [[nodiscard]] KindPlansPtr found() const { return m_plan->kinds().found(); }
  [[nodiscard]] const search::KindPlan& kind(const QString& name) const {
    for (const search::KindPlan& plan : found()->plans) {
      if (kindName(plan) == name) return plan;
    }
    ADD_FAILURE() << "no kind " << name.toStdString();
    return found()->plans.front();
  }

  Session m_session;
  std::unique_ptr<PlanModel> m_plan;
};

TEST_F(Kinds, AreSearchedForOnlyWhileTheyAreShown) {
  settle();
  EXPECT_EQ(found(), nullptr);
  m_plan->kinds().setWanted(true);
  EXPECT_TRUE(m_plan->kinds().running());
  settle();
  ASSERT_NE(found(), nullptr);
  EXPECT_TRUE(found()->complete);
  EXPECT_FALSE(m_plan->kinds().stale());
  const KindPlansPtr before = found();
  m_plan->kinds().setWanted(false);
  m_plan->kinds().setWanted(true);
  EXPECT_FALSE(m_plan->kinds().running()) << "they are known";
  EXPECT_EQ(found(), before);
}

TEST_F(Kinds, OfAnOlderDocumentAreStaleUntilTheNewOnesAreThere) {
  m_plan->kinds().setWanted(true);
  settle();
  const KindPlansPtr before = found();
  ASSERT_NE(before, nullptr);
  Json document = m_session.document().json();
  document["data"]["batch_size"] = 8;
  m_session.document().apply(QStringLiteral("Batch"), document);
  EXPECT_EQ(found(), before);
  EXPECT_TRUE(m_plan->kinds().stale());
  EXPECT_TRUE(m_plan->busy());
  settle();
  EXPECT_NE(found(), before);
  EXPECT_FALSE(m_plan->kinds().stale());
}

TEST_F(Kinds, DoNotDependOnTheTab) {
  m_plan->kinds().setWanted(true);
  settle();
  const KindPlansPtr before = found();
  m_session.selection().setTab(QStringLiteral("single"));
  EXPECT_FALSE(m_plan->kinds().stale());
  settle();
  EXPECT_EQ(found(), before);
}

TEST_F(Kinds, OfACanceledSearchStayAndAreSearchedForAgainOnRequest) {
  KindRunner& kinds = m_plan->kinds();
  const auto connection = QObject::connect(&kinds, &KindRunner::changed, &kinds, [&kinds] {
    if (kinds.running()) kinds.cancel();
  });
  kinds.setWanted(true);
  settle();
  QObject::disconnect(connection);
  ASSERT_NE(found(), nullptr);
  EXPECT_FALSE(found()->complete);
  EXPECT_FALSE(m_plan->kinds().stale());
  m_plan->kinds().restart();
  settle();
  EXPECT_TRUE(found()->complete);
}

TEST_F(Kinds, AreAppliedInOneUndoStep) {
  m_plan->kinds().setWanted(true);
  settle();
  const Json before = m_session.document().json();
  const search::KindPlan ddp = kind(QStringLiteral("ddp"));
  m_plan->moves().applyKind(ddp);
  const plan::Variant* variant = m_session.selection().variant();
  ASSERT_NE(variant, nullptr);
  EXPECT_TRUE(isPlan(*variant, ddp));
  m_session.document().undoStack().undo();
  EXPECT_EQ(m_session.document().json(), before);
}

TEST_F(Kinds, AreAddedAsATabThatIsShown) {
  m_plan->kinds().setWanted(true);
  settle();
  const std::size_t tabs = m_session.document().tabs().size();
  const search::KindPlan ddp = kind(QStringLiteral("ddp"));
  m_plan->moves().addKind(ddp);
  EXPECT_EQ(m_session.document().tabs().size(), tabs + 1);
  ASSERT_NE(m_session.selection().variant(), nullptr);
  EXPECT_TRUE(isPlan(*m_session.selection().variant(), ddp));
}

TEST_F(Kinds, ThatWouldMoveALockedBlockAreRefused) {
  m_plan->kinds().setWanted(true);
  settle();
  const auto last = m_plan->table()->blocks.size() - 1;
  m_plan->select(last, last);
  m_plan->locks().toggle();
  settle();
  const Json before = m_session.document().json();
  EXPECT_TRUE(m_plan->locks().refusalOf(kind(QStringLiteral("single"))));
  m_plan->moves().applyKind(kind(QStringLiteral("single")));
  EXPECT_EQ(m_session.document().json(), before);
}

TEST_F(Kinds, AreRowsOfATable) {
  KindTableModel table(m_plan.get());
  const QAbstractItemModelTester tester(&table,
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  EXPECT_EQ(table.rowCount(), 0);
  m_plan->kinds().setWanted(true);
  settle();
  ASSERT_EQ(table.rowCount(), static_cast<int>(found()->plans.size()));
  const auto text = [&table](int row, int column) {
    return table.index(row, column).data().toString();
  };
  for (int row = 0; row < table.rowCount(); ++row) {
    for (int column = 0; column < KindTableModel::kColumnCount; ++column) {
      EXPECT_FALSE(text(row, column).isEmpty()) << row << ' ' << column;
    }
    EXPECT_FALSE(table.isShown(row)) << "no row is the plan of the tab";
  }
  m_plan->moves().applyKind(search::KindPlan(found()->plans.front()));
  settle();
  EXPECT_TRUE(table.isShown(0));
  EXPECT_TRUE(text(0, KindTableModel::Kind).contains(QStringLiteral("(this tab)")));
}

}  // namespace
}  // namespace stagelane::ui
