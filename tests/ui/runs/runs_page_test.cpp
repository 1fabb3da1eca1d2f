// The selection of the Runs page when runs are added and end.

#include "ui/runs/runs_page.h"

#include <gtest/gtest.h>

#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSplitter>
#include <QTest>
#include <memory>

#include "tests/support/measured_run.h"
#include "tests/support/temporary_folder.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/run/run_folders.h"
#include "ui/session/run/run_state.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

constexpr int kPatienceMs = 60'000;

class RunsPageTest : public testing::Test {
 protected:
  void SetUp() override {
    m_before = qgetenv("STAGELANE_WORKSPACE");
    qputenv("STAGELANE_WORKSPACE", QByteArray::fromStdString(m_root.path().string()));
    write(QStringLiteral("20261119-104400-one"));
    write(QStringLiteral("20261120-104400-two"));
    m_page = std::make_unique<RunsPage>();
    m_page->setSession(&m_session);
    m_page->resize(1280, 800);
    m_page->show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(m_page.get()));
    m_table = m_page->findChild<RunsTable*>();
    ASSERT_TRUE(waitForCurrent(QStringLiteral("20261120-104400-two")));
  }
  void TearDown() override {
    m_page.reset();
    qputenv("STAGELANE_WORKSPACE", m_before);
  }
  [[nodiscard]] QString folder(const QString& name) const {
    return qstring((m_root.path() / "runs").string()) + QChar(u'/') + name;
  }
  void write(const QString& name) const {
    test::writeMeasuredRun(utf8(folder(name)), utf8(name), {0.3, 0.31});
  }
  /// As the window reports its own run.
  void beginAndEnd(const QString& name, const std::function<void()>& meanwhile = {}) {
    m_session.runState().setPhase(RunPhase::Running);
    write(name);
    if (meanwhile) meanwhile();
    m_session.runState().setPhase(RunPhase::Idle);
    m_session.runFolders().tellEnded(folder(name));
    m_session.runFolders().tellChanged();
  }
  void clickRow(int row) const {
    QTest::mouseClick(
        m_table->viewport(), Qt::LeftButton, {},
        m_table->visualRect(m_table->model()->index(row, RunTableModel::Name)).center());
  }
  [[nodiscard]] bool waitForRows(int rows) const {
    return QTest::qWaitFor([&] { return m_table->model()->rowCount() == rows; }, kPatienceMs);
  }
  [[nodiscard]] bool waitForCurrent(const QString& name) const {
    return QTest::qWaitFor([&] { return m_table->currentFolder() == folder(name); }, kPatienceMs);
  }

  test::TemporaryFolder m_root;
  QByteArray m_before;
  Session m_session;
  std::unique_ptr<RunsPage> m_page;
  RunsTable* m_table = nullptr;
};

TEST_F(RunsPageTest, ARunThatEndsIsSelected) {
  beginAndEnd(QStringLiteral("20261121-104400-three"));
  EXPECT_TRUE(waitForCurrent(QStringLiteral("20261121-104400-three")));
}

TEST_F(RunsPageTest, ARowThatWasChosenBeforeTheRunBeganDoesNotKeepTheSelection) {
  clickRow(1);
  beginAndEnd(QStringLiteral("20261121-104400-three"));
  EXPECT_TRUE(waitForCurrent(QStringLiteral("20261121-104400-three")));
}

TEST_F(RunsPageTest, WhoeverChoseAnotherRunMeanwhileKeepsIt) {
  beginAndEnd(QStringLiteral("20261121-104400-three"), [this] { clickRow(1); });
  ASSERT_TRUE(waitForRows(3));
  EXPECT_EQ(m_table->currentFolder(), folder(QStringLiteral("20261119-104400-one")));
  beginAndEnd(QStringLiteral("20261122-104400-four"), [this] {
    m_table->setFocus();
    QTest::keyClick(m_table, Qt::Key_Up);
  });
  ASSERT_TRUE(waitForRows(4));
  EXPECT_EQ(m_table->currentFolder(), folder(QStringLiteral("20261120-104400-two")));
}

TEST_F(RunsPageTest, ASearchThatDoesNotFindTheRunThatEndedIsNotLeft) {
  m_page->findChild<QLineEdit*>(QStringLiteral("runsSearch"))->setText(QStringLiteral("20261119"));
  beginAndEnd(QStringLiteral("20261121-104400-three"));
  const auto* status = m_page->findChild<QLabel*>(QStringLiteral("runsStatus"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return status->text().startsWith(QStringLiteral("3 runs")); },
                              kPatienceMs));
  EXPECT_EQ(m_table->currentFolder(), folder(QStringLiteral("20261119-104400-one")));
}

TEST_F(RunsPageTest, TheListKeepsItsHalfWhereThePageGetsLow) {
  constexpr int kVariants = 15;
  const QString many = folder(QStringLiteral("20261122-104400-many"));
  test::writeMeasuredRun(utf8(many), "many", {0.3}, kVariants);
  m_session.runFolders().tellEnded(many);
  m_session.runFolders().tellChanged();
  ASSERT_TRUE(waitForCurrent(QStringLiteral("20261122-104400-many")));
  const auto* down = m_page->findChild<QSplitter*>();
  const auto listIsAFairPart = [&] {
    const int whole =
        m_table->horizontalHeader()->height() +
        m_table->model()->rowCount() * m_table->verticalHeader()->defaultSectionSize();
    // Without the width of the border between them.
    return m_table->height() >= std::min(whole, down->height() * 9 / 20);
  };
  const auto factsAreWhole = [&] {
    return m_page->findChild<RunsDetails*>()->missingHeight() <= 0;
  };
  // With few runs the facts get the free space; more runs take it back.
  EXPECT_TRUE(QTest::qWaitFor(factsAreWhole, kPatienceMs));
  EXPECT_TRUE(listIsAFairPart());
  for (int i = 10; i < 30; ++i) write(QStringLiteral("202610%1-104400-more").arg(i));
  m_session.runFolders().tellChanged();
  ASSERT_TRUE(waitForRows(23));
  EXPECT_TRUE(QTest::qWaitFor(listIsAFairPart, kPatienceMs)) << m_table->height();
  m_page->resize(1280, 560);
  EXPECT_TRUE(QTest::qWaitFor(listIsAFairPart, kPatienceMs)) << m_table->height();
}

}  // namespace
}  // namespace stagelane::ui
