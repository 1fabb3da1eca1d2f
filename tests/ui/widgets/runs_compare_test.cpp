#include "ui/widgets/runs_compare.h"

#include <gtest/gtest.h>

#include <QPointer>
#include <QTest>

#include "tests/support/measured_run.h"
#include "tests/support/temporary_folder.h"
#include "ui/models/formatting.h"

namespace stagelane::ui {
namespace {

class RunsCompareTest : public testing::Test {
 protected:
  void SetUp() override {
    test::writeMeasuredRun(m_root.path() / "a", "A", {0.30, 0.31, 0.32});
    test::writeMeasuredRun(m_root.path() / "b", "B", {0.20, 0.21, 0.22});
  }
  [[nodiscard]] std::vector<RunToLoad> runs() const {
    return {{qstring((m_root.path() / "a").string()), QStringLiteral("run 1"), "done", 3},
            {qstring((m_root.path() / "b").string()), QStringLiteral("run 2"), "done", 3}};
  }
  void settle() {
    ASSERT_TRUE(QTest::qWaitFor([this] { return !m_compare.busy(); }, 60'000));
  }
  /// The rows are made anew with each comparison.
  [[nodiscard]] QPointer<QWidget> rows() const {
    return m_compare.findChild<QWidget*>(QStringLiteral("compareRows"));
  }

  test::TemporaryFolder m_root;
  Session m_session;
  RunsCompare m_compare{&m_session};
};

TEST_F(RunsCompareTest, TheSameRunsAreNotReadAgain) {
  m_compare.setRuns(runs());
  settle();
  const QPointer<QWidget> shown = rows();
  ASSERT_FALSE(shown.isNull());
  m_compare.setRuns(runs());
  EXPECT_FALSE(m_compare.busy());
  settle();
  EXPECT_FALSE(shown.isNull()) << "what is looked at stays, with its place and tooltips";
}

TEST_F(RunsCompareTest, ARunThatHasMoreRepeatsIsReadAgain) {
  m_compare.setRuns(runs());
  settle();
  const QPointer<QWidget> shown = rows();
  ASSERT_FALSE(shown.isNull());
  std::vector<RunToLoad> further = runs();
  further[1].repeats = 4;
  m_compare.setRuns(further);
  settle();
  EXPECT_TRUE(shown.isNull());
  EXPECT_FALSE(rows().isNull());
}

}  // namespace
}  // namespace stagelane::ui
