// Which runs the Report page waits for.

#include "ui/report/report_page.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTest>

#include "engine/record/run_record.h"
#include "tests/support/measured_run.h"
#include "tests/support/own_workspace.h"
#include "tests/support/temporary_folder.h"
#include "ui/session/run/measured_results.h"
#include "ui/session/run/run_folders.h"
#include "ui/session/run/run_state.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

class ReportPageTest : public testing::Test {
 protected:
  ReportPageTest() {
    test::writeMeasuredRun(m_root / "older", "Older", {0.3, 0.3, 0.3});
    m_page.setSession(&m_session);
    m_page.resize(1200, 800);
    m_page.show();
    m_session.results().start(m_root / "running", nullptr);
    m_session.runState().setPhase(RunPhase::Running);
    measureARepeat();
  }
  void measureARepeat() {
    auto running = std::make_shared<record::RunResult>();
    running->status = record::RunStatus::Running;
    m_session.results().set(running);
  }
  [[nodiscard]] bool showsPages() const {
    return m_page.findChild<QScrollArea*>(QStringLiteral("reportPages"))->isVisible();
  }

  test::TemporaryFolder m_root;
  Session m_session;
  ReportPage m_page;
};

TEST_F(ReportPageTest, MakesTheReportOfOlderRunsWhileOneRuns) {
  EXPECT_FALSE(showsPages());
  m_session.results().setReportFolders({m_root / "older"});
  ASSERT_TRUE(QTest::qWaitFor([this] { return showsPages() && !m_page.busy(); }, 60'000));
  measureARepeat();
  EXPECT_FALSE(m_page.busy()) << "it is not made again with each repeat";
}

TEST_F(ReportPageTest, KeepsTheKeyboardWhileItWrites) {
  m_session.results().setReportFolders({m_root / "older"});
  ASSERT_TRUE(QTest::qWaitFor([this] { return showsPages() && !m_page.busy(); }, 60'000));
  auto* write = m_page.findChild<QPushButton*>(QStringLiteral("export"));
  ASSERT_NE(write, nullptr);
  m_page.activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&m_page));
  write->setFocus();
  write->click();
  EXPECT_FALSE(write->isEnabled());
  ASSERT_NE(QApplication::focusWidget(), nullptr);
  EXPECT_EQ(QApplication::focusWidget()->objectName(), QStringLiteral("reportPages"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return write->isEnabled(); }, 60'000));
  EXPECT_TRUE(write->hasFocus());
}

TEST(ReportPage, OffersTheNewestRunOfTheWorkspaceWhileItHasNone) {
  const test::OwnWorkspace workspace;
  test::writeMeasuredRun(workspace / "runs" / "20261119-104400-older", "Older", {0.3, 0.3, 0.3});
  Session session;
  ReportPage page;
  page.setSession(&session);
  page.show();
  QPushButton* offer = nullptr;
  ASSERT_TRUE(QTest::qWaitFor(
      [&] {
        offer = page.findChild<QPushButton*>(QStringLiteral("reportNewestRun"));
        return offer != nullptr;
      },
      60'000));
  const QSignalSpy opened(&session.runFolders(), &RunFolders::openRequested);
  offer->click();
  ASSERT_EQ(opened.size(), 1);
  EXPECT_TRUE(opened[0][0].toString().endsWith(QStringLiteral("older")));
}

TEST_F(ReportPageTest, WaitsForTheRunThatItIsAbout) {
  m_session.results().setReportFolders({m_root / "older", m_root / "running"});
  ASSERT_TRUE(QTest::qWaitFor([this] { return !m_page.busy(); }, 60'000));
  EXPECT_FALSE(showsPages());
}

TEST_F(ReportPageTest, TheFormatFollowsATypedEndingAndTheEndingTheFormat) {
  m_session.results().setReportFolders({m_root / "older"});
  ASSERT_TRUE(QTest::qWaitFor([this] { return showsPages() && !m_page.busy(); }, 60'000));
  auto* format = m_page.findChild<QComboBox*>(QStringLiteral("reportFormat"));
  auto* path = m_page.findChild<QLineEdit*>(QStringLiteral("reportPath"));
  const auto typed = [path](const char* text) {
    path->setText(QString::fromLatin1(text));
    Q_EMIT path->editingFinished();
  };
  format->setCurrentIndex(1);
  EXPECT_TRUE(path->text().endsWith(QStringLiteral(".pdf"))) << path->text().toStdString();
  typed("/tmp/r.md");
  EXPECT_EQ(format->currentText().toStdString(), "Markdown");
  EXPECT_EQ(path->text().toStdString(), "/tmp/r.md");
  typed("/tmp/r.HTML");
  EXPECT_EQ(format->currentText().toStdString(), "HTML");
  typed("/tmp/r.docx");
  EXPECT_EQ(format->currentText().toStdString(), "HTML");
}

}  // namespace
}  // namespace stagelane::ui
