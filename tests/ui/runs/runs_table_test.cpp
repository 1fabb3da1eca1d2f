#include "ui/runs/runs_table.h"

#include <gtest/gtest.h>

#include <QGuiApplication>
#include <QScrollBar>
#include <QTest>

#include "ui/kit/current_theme.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

QString folder(int number) { return QStringLiteral("/w/runs/%1").arg(number); }

/// Runs `last` … 1, without one of them.
RunListPtr runsBut(int last, int left) {
  RunList runs;
  for (int number = last; number > 0; --number) {
    if (number == left) continue;
    workspace::RunEntry entry;
    entry.number = number;
    entry.folder = folder(number).toStdString();
    entry.status = "done";
    runs.push_back(entry);
  }
  return std::make_shared<const RunList>(std::move(runs));
}

class RunsTableTest : public testing::Test {
 protected:
  void SetUp() override {
    m_table.resize(800, 400);
    m_table.setRuns(runsBut(100, 0));
    m_table.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&m_table));
  }
  void select(int number, QItemSelectionModel::SelectionFlags how) {
    m_table.selectionModel()->setCurrentIndex(
        m_model.index(m_model.rowOf(folder(number)), RunTableModel::Name),
        how | QItemSelectionModel::Rows);
  }
  [[nodiscard]] QString top() const { return m_model.folderOf(m_table.rowAt(0)); }

  Session m_session;
  RunTableModel m_model;
  RunsTable m_table{&m_model, m_session.currentTheme()};
};

TEST_F(RunsTableTest, TheRunBehindADeletedOneIsTheNextToBeDeleted) {
  select(30, QItemSelectionModel::ClearAndSelect);
  const QString before = top();
  m_table.setRuns(runsBut(100, 30));
  EXPECT_EQ(m_table.selectedFolders(), QStringList{folder(29)});
  EXPECT_EQ(m_table.currentFolder(), folder(29));
  EXPECT_EQ(top(), before);
}

TEST_F(RunsTableTest, ANewRunMovesNeitherTheRowsInViewNorTheSelection) {
  select(95, QItemSelectionModel::ClearAndSelect);
  select(93, QItemSelectionModel::Select);
  m_table.verticalScrollBar()->setValue(m_table.verticalScrollBar()->maximum() / 2 + 7);
  const QString before = top();
  const int cut = m_table.rowViewportPosition(m_table.rowAt(0));
  m_table.setRuns(runsBut(101, 0));
  EXPECT_EQ(m_table.selectedFolders(), QStringList({folder(95), folder(93)}));
  EXPECT_EQ(m_table.currentFolder(), folder(93));
  EXPECT_EQ(top(), before);
  EXPECT_EQ(m_table.rowViewportPosition(m_table.rowAt(0)), cut);
}

TEST_F(RunsTableTest, AnotherOrderShowsWhatIsCurrent) {
  m_model.sort(RunTableModel::Number, Qt::AscendingOrder);
  EXPECT_EQ(m_table.currentFolder(), folder(100));
  EXPECT_TRUE(m_table.viewport()->rect().contains(m_table.visualRect(m_table.currentIndex())));
}

/// As by Ctrl+4, which shows the page with the other pages' run.
TEST_F(RunsTableTest, ARunIsShownAloneAlsoWhileCtrlIsDown) {
  select(95, QItemSelectionModel::ClearAndSelect);
  QTest::keyPress(m_table.windowHandle(), Qt::Key_Control, Qt::ControlModifier);
  ASSERT_TRUE(QGuiApplication::keyboardModifiers().testFlag(Qt::ControlModifier));
  m_table.showFolder(folder(93));
  QTest::keyRelease(m_table.windowHandle(), Qt::Key_Control);
  EXPECT_EQ(m_table.selectedFolders(), QStringList{folder(93)});
}

}  // namespace
}  // namespace stagelane::ui
