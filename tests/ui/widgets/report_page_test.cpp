// Which runs the Report page waits for.

#include "ui/widgets/report_page.h"

#include <gtest/gtest.h>

#include <QScrollArea>
#include <QTest>

#include "tests/support/measured_run.h"
#include "tests/support/temporary_folder.h"

namespace stagelane::ui {
namespace {

class ReportPageTest : public testing::Test {
 protected:
  ReportPageTest() {
    test::writeMeasuredRun(m_root / "older", "Older", {0.3, 0.3, 0.3});
    m_page.setSession(&m_session);
    m_page.resize(1200, 800);
    m_page.show();
    m_session.startResult(m_root / "running", nullptr);
    m_session.setRunPhase(RunPhase::Running);
    measureARepeat();
  }
  void measureARepeat() {
    auto running = std::make_shared<record::RunResult>();
    running->status = record::RunStatus::Running;
    m_session.setResult(running);
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
  m_session.setReportFolders({m_root / "older"});
  ASSERT_TRUE(QTest::qWaitFor([this] { return showsPages() && !m_page.busy(); }, 60'000));
  measureARepeat();
  EXPECT_FALSE(m_page.busy()) << "it is not made again with each repeat";
}

TEST_F(ReportPageTest, WaitsForTheRunThatItIsAbout) {
  m_session.setReportFolders({m_root / "older", m_root / "running"});
  ASSERT_TRUE(QTest::qWaitFor([this] { return !m_page.busy(); }, 60'000));
  EXPECT_FALSE(showsPages());
}

}  // namespace
}  // namespace stagelane::ui
