// Where the keyboard is when a sweep goes on.

#include "ui/widgets/sweep_panel.h"

#include <gtest/gtest.h>

#include <QPushButton>
#include <QTest>

namespace stagelane::ui {
namespace {

SweepViewPtr sweepThat(SweepState state) {
  auto view = std::make_shared<SweepView>();
  view->folder = view->name = QStringLiteral("toy");
  view->state = state;
  return view;
}

TEST(SweepPanel, GoingOnLeavesTheKeyboardOnPauseAndNotOnCancel) {
  Session session;
  SweepPanel panel(&session);
  session.sweep().setView(sweepThat(SweepState::Interrupted));
  panel.show();
  panel.activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&panel));
  panel.findChild<QPushButton*>(QStringLiteral("sweepGoOn"))->setFocus();
  ASSERT_TRUE(panel.findChild<QPushButton*>(QStringLiteral("sweepGoOn"))->hasFocus());
  session.sweep().setView(sweepThat(SweepState::Running));
  session.setRunPhase(RunPhase::Running);
  EXPECT_TRUE(panel.findChild<QPushButton*>(QStringLiteral("sweepPause"))->hasFocus());
  EXPECT_TRUE(panel.findChild<QPushButton*>(QStringLiteral("sweepGoOn"))->isHidden());
}

}  // namespace
}  // namespace stagelane::ui
