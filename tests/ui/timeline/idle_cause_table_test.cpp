#include "ui/timeline/idle_cause_table.h"

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QHeaderView>
#include <QScrollBar>
#include <QStandardItemModel>

namespace stagelane::ui {
namespace {

/// Busy, seven causes and the step's sum; a name and three columns for each of two devices.
void fill(QStandardItemModel& model) {
  model.clear();
  for (int row = 0; row < 9; ++row) {
    for (int column = 0; column < 7; ++column) {
      model.setItem(row, column, new QStandardItem(QStringLiteral("1234.5")));
    }
  }
}

/// Laid out at the width of its columns.
void resize(IdleCauseTable& table, int height) {
  QCoreApplication::processEvents();
  table.resize(table.wantedWidth(), height);
  QCoreApplication::processEvents();
}

TEST(IdleCauseTable, ShowsAllOfItsRowsAndColumnsWhereThereIsRoomForThemAtAll) {
  QStandardItemModel model;
  IdleCauseTable table;
  table.setFrameShape(QFrame::NoFrame);
  table.verticalHeader()->hide();
  table.horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table.setModel(&model);
  // As the page does.
  QObject::connect(table.horizontalHeader(), &QHeaderView::sectionResized, &table,
                   [&table] { table.setMinimumWidth(table.wantedWidth()); });
  table.show();
  fill(model);
  resize(table, 175);
  EXPECT_EQ(table.horizontalScrollBar()->maximum(), 0);
  EXPECT_EQ(table.verticalScrollBar()->maximum(), 0);
  const int low = table.rowHeight(0);
  EXPECT_TRUE(table.viewport()->rect().contains(table.visualRect(model.index(8, 6))));
  resize(table, 400);
  EXPECT_GT(table.rowHeight(0), low) << "no lower than they must be";
  resize(table, 60);
  EXPECT_GT(table.verticalScrollBar()->maximum(), 0) << "rather than rows that nobody can read";
}

}  // namespace
}  // namespace stagelane::ui
