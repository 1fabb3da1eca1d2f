#pragma once

/// State of the calibration of costs: whether it runs, its progress, its last error. Pages request
/// it; the owner of the engine process runs it and updates this.

#include <QObject>
#include <QString>
#include <optional>

namespace stagelane::ui {

enum class CalibrationPhase { Idle, Running, Canceling };

class Calibration final : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  /// The approximate duration of a calibration.
  static constexpr double kSeconds = 40.0;

  [[nodiscard]] CalibrationPhase phase() const { return m_phase; }
  [[nodiscard]] bool running() const { return m_phase != CalibrationPhase::Idle; }
  [[nodiscard]] double fraction() const { return m_fraction; }  ///< 0 … 1; never decreases
  [[nodiscard]] std::optional<double> secondsLeft() const { return m_secondsLeft; }
  /// Why the last one failed; empty if it did not.
  [[nodiscard]] QString problem() const { return m_problem; }

  void request() { Q_EMIT requested(); }
  void requestCancel() { Q_EMIT cancelRequested(); }

  void setPhase(CalibrationPhase phase);
  void setProgress(double fraction, std::optional<double> secondsLeft);
  void setProblem(const QString& problem);

 Q_SIGNALS:
  void changed();
  void requested();
  void cancelRequested();

 private:
  CalibrationPhase m_phase = CalibrationPhase::Idle;
  double m_fraction = 0.0;
  std::optional<double> m_secondsLeft;
  QString m_problem;
};

}  // namespace stagelane::ui
