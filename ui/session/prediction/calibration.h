#pragma once

/// Whether costs are being measured, how far it is, and how the last time ended. Pages ask for it
/// here; whoever owns the engine process answers and says what happens.

#include <QObject>
#include <QString>
#include <optional>

namespace stagelane::ui {

enum class CalibrationPhase { Idle, Running, Canceling };

class Calibration final : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  /// About how long a calibration takes.
  static constexpr double kSeconds = 40.0;

  [[nodiscard]] CalibrationPhase phase() const { return m_phase; }
  [[nodiscard]] bool running() const { return m_phase != CalibrationPhase::Idle; }
  [[nodiscard]] double fraction() const { return m_fraction; }  ///< 0 … 1; never falls
  [[nodiscard]] std::optional<double> secondsLeft() const { return m_secondsLeft; }
  /// Why the last one ended without costs; empty when it did not.
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
