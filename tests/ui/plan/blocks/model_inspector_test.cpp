#include "ui/plan/blocks/model_inspector.h"

#include <gtest/gtest.h>

#include <QHeaderView>
#include <QTest>

#include "tests/ui/plan/plan_fixtures.h"
#include "ui/kit/current_theme.h"
#include "ui/kit/style_sheet.h"
#include "ui/session/document/document.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

TEST(ModelInspector, GivesEveryHeadingItsRoomAndFitsBesideTheOtherPanels) {
  Session session;
  session.document().load(sample::toyPipeline(1), {}, {});
  PlanModel plan(&session);
  ModelInspector inspector(&plan);
  inspector.setStyleSheet(styleSheetOf(session.currentTheme()->theme()));
  inspector.resize(900, 300);
  inspector.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&inspector));
  const auto* table = inspector.findChild<QTableView*>(QStringLiteral("layerTable"));
  const QHeaderView* heads = table->horizontalHeader();
  for (int column = 0; column < heads->count(); ++column) {
    const QString heading = table->model()->headerData(column, Qt::Horizontal).toString();
    EXPECT_GE(heads->sectionSize(column), heads->fontMetrics().horizontalAdvance(heading) + 32)
        << heading.toStdString();
  }
  EXPECT_LE(heads->length(), table->viewport()->width());
}

TEST(ModelInspector, GivesColumnsTheRoomOfTextsThatCameWhileItWasHidden) {
  Session session;
  session.document().load(sample::toyPipeline(1), {}, {});
  PlanModel plan(&session);
  ModelInspector inspector(&plan);
  inspector.setStyleSheet(styleSheetOf(session.currentTheme()->theme()));
  inspector.resize(900, 900);  // without a scroll bar, which would also change the layout
  inspector.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&inspector));
  const auto* table = inspector.findChild<QTableView*>(QStringLiteral("layerTable"));
  const int before = table->columnWidth(LayerTableModel::Type);
  inspector.hide();
  session.document().load(sample::resnetOnTwo(), {}, {});
  inspector.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&inspector));
  EXPECT_GT(table->columnWidth(LayerTableModel::Type), before);
  const QFontMetrics cells(table->font());
  for (int row = 0; row < table->model()->rowCount(); ++row) {
    const QString text = table->model()->index(row, LayerTableModel::Type).data().toString();
    EXPECT_GE(table->columnWidth(LayerTableModel::Type), cells.horizontalAdvance(text))
        << text.toStdString();
  }
}

}  // namespace
}  // namespace stagelane::ui
