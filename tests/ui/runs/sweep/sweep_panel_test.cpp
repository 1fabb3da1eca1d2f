// The focus when a sweep resumes or pauses.

#include "ui/runs/sweep/sweep_panel.h"

#include <gtest/gtest.h>

#include <QPushButton>
#include <QTest>

#include "ui/session/run/current_sweep.h"
#include "ui/session/run/run_state.h"
#include "ui/session/run/sweep_view.h"
#include "ui/session/session.h"

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
  session.runState().setPhase(RunPhase::Running);
  EXPECT_TRUE(panel.findChild<QPushButton*>(QStringLiteral("sweepPause"))->hasFocus());
  EXPECT_TRUE(panel.findChild<QPushButton*>(QStringLiteral("sweepGoOn"))->isHidden());
}

TEST(SweepPanel, PausingLeavesTheKeyboardOnGoOnAndNeverOnCancel) {
  Session session;
  SweepPanel panel(&session);
  session.sweep().setView(sweepThat(SweepState::Running));
  session.runState().setPhase(RunPhase::Running);
  panel.show();
  panel.activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&panel));
  panel.findChild<QPushButton*>(QStringLiteral("sweepPause"))->setFocus();
  session.runState().setPhase(RunPhase::Canceling);
  EXPECT_FALSE(panel.findChild<QPushButton*>(QStringLiteral("sweepCancel"))->hasFocus());
  session.runState().setPhase(RunPhase::Idle);
  session.sweep().setView(sweepThat(SweepState::Paused));
  EXPECT_TRUE(panel.findChild<QPushButton*>(QStringLiteral("sweepGoOn"))->hasFocus());
}

}  // namespace
}  // namespace stagelane::ui
