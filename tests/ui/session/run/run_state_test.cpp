#include "ui/session/run/run_state.h"

#include <gtest/gtest.h>

#include <QSignalSpy>

namespace stagelane::ui {
namespace {

class RunStateTest : public testing::Test {
 protected:
  Calibration m_calibration;
  RunState m_run{&m_calibration};
};

TEST_F(RunStateTest, MeasuresWhileARunOrACalibrationIsInProgress) {
  const QSignalSpy measuring(&m_run, &RunState::measuringChanged);
  m_run.setPhase(RunPhase::Running);
  EXPECT_TRUE(m_run.measuring());
  m_calibration.setPhase(CalibrationPhase::Running);
  m_run.setPhase(RunPhase::Idle);
  EXPECT_TRUE(m_run.measuring());
  EXPECT_EQ(measuring.size(), 1);
  m_calibration.setPhase(CalibrationPhase::Idle);
  EXPECT_FALSE(m_run.measuring());
  EXPECT_EQ(measuring.size(), 2);
}

TEST_F(RunStateTest, TellsOfAnotherPhaseOnly) {
  const QSignalSpy phase(&m_run, &RunState::phaseChanged);
  m_run.setPhase(RunPhase::Idle);
  m_run.setPhase(RunPhase::Running);
  m_run.setPhase(RunPhase::Running);
  EXPECT_EQ(phase.size(), 1);
}

TEST_F(RunStateTest, ShowsTheEndOfAResumedRunAgain) {
  const QSignalSpy dismissed(&m_run, &RunState::endDismissedChanged);
  m_run.dismissEnd();
  m_run.dismissEnd();
  EXPECT_EQ(dismissed.size(), 1);
  m_run.setPhase(RunPhase::Running);
  EXPECT_FALSE(m_run.endDismissed());
}

TEST_F(RunStateTest, TellsOfAnotherProblemOnly) {
  const QSignalSpy problem(&m_run, &RunState::problemChanged);
  const QSignalSpy engine(&m_run, &RunState::engineProblemChanged);
  m_run.setProblem({});
  m_run.setProblem(QStringLiteral("locked"));
  m_run.setEngineProblem(QStringLiteral("missing"));
  m_run.setEngineProblem(QStringLiteral("missing"));
  EXPECT_EQ(problem.size(), 1);
  EXPECT_EQ(engine.size(), 1);
}

}  // namespace
}  // namespace stagelane::ui
