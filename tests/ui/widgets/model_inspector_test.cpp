#include "ui/widgets/model_inspector.h"

#include <gtest/gtest.h>

#include <QHeaderView>
#include <QTest>

#include "tests/ui/models/plan_fixtures.h"
#include "ui/widgets/style_sheet.h"

namespace stagelane::ui {
namespace {

TEST(ModelInspector, GivesEveryHeadingItsRoomAndFitsBesideTheOtherPanels) {
  Session session;
  session.document().load(sample::toyPipeline(1), {}, {});
  PlanModel plan(&session);
  ModelInspector inspector(&plan);
  inspector.setStyleSheet(styleSheetOf(session.theme()));
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

}  // namespace
}  // namespace stagelane::ui
