// Actions that the Runs page offers for the selected run, and the sections of its menu.

#include "ui/runs/runs_page.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <memory>

#include "tests/support/measured_run.h"
#include "tests/support/own_workspace.h"
#include "ui/session/run/run_folders.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

class RunsPageActions : public testing::Test {
 protected:
  /// The page with the newest run chosen.
  void show() {
    m_page = std::make_unique<RunsPage>();
    m_page->setSession(&m_session);
    m_page->resize(1400, 800);
    m_page->show();
    m_table = m_page->findChild<RunsTable*>();
    ASSERT_TRUE(QTest::qWaitFor([this] { return m_table->model()->rowCount() == 1; }, 60'000));
    m_table->setCurrentIndex(m_table->model()->index(0, 0));
    ASSERT_TRUE(QTest::qWaitFor([this] { return !m_page->busy(); }, 60'000));
  }

  [[nodiscard]] QToolButton* button(const char* name) const {
    return m_page->findChild<QToolButton*>(QString::fromLatin1(name));
  }

  test::OwnWorkspace m_workspace;
  Session m_session;
  std::unique_ptr<RunsPage> m_page;
  RunsTable* m_table = nullptr;
};

TEST_F(RunsPageActions, OffersToResumeARunThatIsNotWholeBesideRunAgain) {
  test::writeCanceledRun(m_workspace / "runs" / "20261119-104400-half");
  show();
  ASSERT_TRUE(button("resume")->isVisible());
  EXPECT_EQ(button("resume")->text(), QStringLiteral("Resume"));
  EXPECT_TRUE(
      QTest::qWaitFor([this] { return button("resume")->x() > button("rerun")->x(); }, 10'000));
  const QSignalSpy asked(&m_session.runFolders(), &RunFolders::openRequested);
  button("resume")->click();
  ASSERT_EQ(asked.size(), 1);
  EXPECT_EQ(asked[0][1].value<RunUse>(), RunUse::Resume);
}

TEST_F(RunsPageActions, OffersToTakeUpARunThatWasLeftOnAHost) {
  const std::filesystem::path folder = m_workspace / "runs" / "20261119-104400-whole";
  test::writeMeasuredRun(folder, "Whole", {0.3, 0.3, 0.3});
  show();
  m_session.runFolders().setLeft({{QString::fromStdString(folder.string()), QStringLiteral("box"),
                                   QStringLiteral("Whole"), false, QString()}});
  ASSERT_TRUE(button("resume")->isVisible());
  EXPECT_TRUE(button("resume")->isEnabled());
  EXPECT_EQ(button("resume")->text(), QStringLiteral("Take up"));
  const QSignalSpy asked(&m_session.runFolders(), &RunFolders::openRequested);
  button("resume")->click();
  ASSERT_EQ(asked.size(), 1);
  m_session.runFolders().setLeft({});
  EXPECT_FALSE(button("resume")->isVisible());
}

TEST_F(RunsPageActions, DoesNotOfferToResumeARunThatIsDone) {
  test::writeMeasuredRun(m_workspace / "runs" / "20261119-104400-whole", "Whole", {0.3, 0.3, 0.3});
  show();
  EXPECT_TRUE(button("rerun")->isVisible());
  EXPECT_FALSE(button("resume")->isVisible());
}

TEST_F(RunsPageActions, DividesItsMenuIntoGroupsOfAFewActions) {
  test::writeMeasuredRun(m_workspace / "runs" / "20261119-104400-whole", "Whole", {0.3, 0.3, 0.3});
  show();
  int inGroup = 0;
  for (const QAction* action : button("runsMore")->menu()->actions()) {
    inGroup = action->isSeparator() ? 0 : inGroup + 1;
    EXPECT_LE(inGroup, 4) << action->text().toStdString();
  }
}

}  // namespace
}  // namespace stagelane::ui
