#include "ui/runs/sweep/sweep_dialog.h"

#include <gtest/gtest.h>

#include <QTest>
#include <memory>

#include "tests/ui/plan/plan_fixtures.h"
#include "ui/session/document/document.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

class SweepDialogTest : public testing::Test {
 protected:
  void SetUp() override {
    m_session.document().load(sample::toyPipeline(1), {}, {});
    m_dialog = std::make_unique<SweepDialog>(&m_session, TypedSweep{});
    m_dialog->show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(m_dialog.get()));
  }
  void waitForCount(const char* part) const {
    const auto* count = m_dialog->findChild<QLabel*>(QStringLiteral("sweepCount"));
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return count->text().contains(QString::fromLatin1(part)); }, 60'000))
        << count->text().toStdString();
  }
  /// Fields and sentences have the height that they ask for.
  void expectRoom() const {
    for (const QWidget* child : m_dialog->findChildren<QWidget*>()) {
      const bool judged = qobject_cast<const QLineEdit*>(child) != nullptr ||
                          qobject_cast<const QLabel*>(child) != nullptr;
      if (!judged || !child->isVisible()) continue;
      const int asked = child->hasHeightForWidth() ? child->heightForWidth(child->width())
                                                   : child->sizeHint().height();
      EXPECT_GE(child->height(), asked) << child->objectName().toStdString();
    }
  }

  Session m_session;
  std::unique_ptr<SweepDialog> m_dialog;
};

TEST_F(SweepDialogTest, CutsNoFieldWhenItSaysHowManyPointsThereAre) {
  waitForCount("Pause keeps what was measured");
  expectRoom();
}

TEST_F(SweepDialogTest, GrowsWithTheSentencesAtItsFields) {
  waitForCount("Pause keeps what was measured");
  m_dialog->findChild<QLineEdit*>(QStringLiteral("sweepSplits"))->setText(QStringLiteral("no"));
  m_dialog->findChild<QLineEdit*>(QStringLiteral("sweepBatches"))->setText(QStringLiteral("no"));
  const auto* problem = m_dialog->findChild<QLabel*>(QStringLiteral("sweepSplitsProblem"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return problem->isVisible(); }, 60'000));
  expectRoom();
}

}  // namespace
}  // namespace stagelane::ui
