#include "ui/session/run/run_state.h"

#include <utility>

namespace stagelane::ui {

RunState::RunState(const Calibration* calibration, QObject* parent)
    : QObject(parent), m_calibration(calibration) {
  connect(calibration, &Calibration::changed, this, &RunState::refreshMeasuring);
}

void RunState::setPhase(RunPhase phase) {
  if (phase != m_phase) {
    if (m_phase == RunPhase::Idle) setRanks({});
    m_phase = phase;
    // A resumed run may end differently, which is shown again.
    m_endDismissed = m_endDismissed && phase == RunPhase::Idle;
    Q_EMIT phaseChanged();
    refreshMeasuring();
  }
}

void RunState::refreshMeasuring() {
  const bool measuring = m_phase != RunPhase::Idle || m_calibration->running();
  if (measuring != std::exchange(m_measuring, measuring)) Q_EMIT measuringChanged();
}

void RunState::setProgress(const RunProgress& progress) {
  m_progress = progress;
  Q_EMIT progressChanged();
}

void RunState::setRanks(std::vector<RunRank> ranks) {
  if (ranks != m_ranks) {
    m_ranks = std::move(ranks);
    Q_EMIT ranksChanged();
  }
}

void RunState::setConnection(const RunConnection& connection) {
  if (connection != m_connection) {
    m_connection = connection;
    Q_EMIT connectionChanged();
  }
}

void RunState::setWantedRanks(int ranks) {
  if (ranks != std::exchange(m_wantedRanks, ranks)) Q_EMIT wantedRanksChanged();
}

void RunState::setProblem(const QString& problem) {
  if (problem != m_problem) {
    m_problem = problem;
    Q_EMIT problemChanged();
  }
}

void RunState::setEngineProblem(const QString& problem) {
  if (problem != m_engineProblem) {
    m_engineProblem = problem;
    Q_EMIT engineProblemChanged();
  }
}

void RunState::dismissEnd() {
  if (!std::exchange(m_endDismissed, true)) Q_EMIT endDismissedChanged();
}

}  // namespace stagelane::ui
