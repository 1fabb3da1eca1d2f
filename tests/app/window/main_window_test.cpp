// The window on a page other than Plan, which is then not built.

#include "app/window/main_window.h"

#include <gtest/gtest.h>

#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include "tests/gui/history.h"
#include "ui/plan/plan_page.h"
#include "ui/session/page_requests.h"
#include "ui/session/prediction/predictor.h"
#include "ui/session/session.h"

namespace stagelane::app {
namespace {

class WithoutPlanPage : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(m_folder.isValid());
    qputenv("STAGELANE_WORKSPACE", m_folder.filePath(QStringLiteral("workspace")).toUtf8());
    qputenv("XDG_CONFIG_HOME", m_folder.filePath(QStringLiteral("config")).toUtf8());
  }

  void open(const std::string& page) {
    const QString run = gui::writePastRun(
        m_folder.filePath(QStringLiteral("workspace/runs")),
        {.folder = QStringLiteral("20261119-104400-toy"), .name = QStringLiteral("Toy")});
    WindowOptions options;
    options.file = run.toStdString();
    options.page = page;
    m_window = std::make_unique<MainWindow>(options);
    ASSERT_TRUE(m_window->openFirst());
    m_window->show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(m_window.get()));
    ASSERT_TRUE(QTest::qWaitFor([this] { return m_window->settled(); }, 300'000));
    EXPECT_EQ(m_window->shell().currentPageName().toStdString(), page);
    EXPECT_EQ(m_window->findChild<ui::PlanPage*>(), nullptr);
    EXPECT_NE(m_window->session().predictor().prediction(), nullptr);
  }

  QTemporaryDir m_folder;
  std::unique_ptr<MainWindow> m_window;
};

TEST_F(WithoutPlanPage, TheTimelineShowsThePrediction) {
  open("timeline");
  const auto* events = m_window->findChild<QTableView*>(QStringLiteral("stepEvents"));
  ASSERT_NE(events, nullptr);
  EXPECT_TRUE(QTest::qWaitFor([&] { return events->model()->rowCount() > 0; }, 60'000));
}

TEST_F(WithoutPlanPage, TheReportIsMade) {
  open("report");
  const auto* write = m_window->findChild<QPushButton*>(QStringLiteral("export"));
  ASSERT_NE(write, nullptr);
  EXPECT_TRUE(QTest::qWaitFor([&] { return write->isEnabled(); }, 60'000));
}

TEST_F(WithoutPlanPage, FixPlanBuildsItAndReachesIt) {
  open("timeline");
  m_window->session().pages().requestFixPlan();
  EXPECT_EQ(m_window->shell().currentPageName().toStdString(), "plan");
  const auto* hint = m_window->findChild<QLabel*>(QStringLiteral("hint"));
  ASSERT_NE(hint, nullptr);
  EXPECT_TRUE(hint->text().startsWith(QStringLiteral("Plan problems")))
      << hint->text().toStdString();
}

}  // namespace
}  // namespace stagelane::app
