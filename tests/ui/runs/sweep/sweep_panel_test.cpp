// Where the keyboard is when a sweep goes on or pauses.

#include "ui/runs/sweep/sweep_panel.h"

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

TEST(SweepPanel, PausingLeavesTheKeyboardOnGoOnAndNeverOnCancel) {
  Session session;
  SweepPanel panel(&session);
  session.sweep().setView(sweepThat(SweepState::Running));
  session.setRunPhase(RunPhase::Running);
  panel.show();
  panel.activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&panel));
  panel.findChild<QPushButton*>(QStringLiteral("sweepPause"))->setFocus();
  session.setRunPhase(RunPhase::Canceling);
  EXPECT_FALSE(panel.findChild<QPushButton*>(QStringLiteral("sweepCancel"))->hasFocus());
  session.setRunPhase(RunPhase::Idle);
  session.sweep().setView(sweepThat(SweepState::Paused));
  EXPECT_TRUE(panel.findChild<QPushButton*>(QStringLiteral("sweepGoOn"))->hasFocus());
}

}  // namespace
}  // namespace stagelane::ui
