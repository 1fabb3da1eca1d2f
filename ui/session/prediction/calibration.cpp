#include "ui/session/prediction/calibration.h"

#include <algorithm>

namespace stagelane::ui {

void Calibration::setPhase(CalibrationPhase phase) {
  if (phase == m_phase) return;
  m_phase = phase;
  if (phase == CalibrationPhase::Idle) {
    m_fraction = 0.0;
    m_secondsLeft.reset();
  }
  Q_EMIT changed();
}

void Calibration::setProgress(double fraction, std::optional<double> secondsLeft) {
  // The estimate of the remaining work changes; the progress bar must not go back.
  m_fraction = std::max(m_fraction, std::clamp(fraction, 0.0, 1.0));
  m_secondsLeft = secondsLeft;
  Q_EMIT changed();
}

void Calibration::setProblem(const QString& problem) {
  if (problem != m_problem) {
    m_problem = problem;
    Q_EMIT changed();
  }
}

}  // namespace stagelane::ui
