#pragma once

/// Whether a run is in progress, how far it is, how it ended, and what prevents one. It starts no
/// process: whoever owns the engine process sets this.

#include <QObject>
#include <QString>
#include <optional>

#include "ui/session/prediction/calibration.h"

namespace stagelane::ui {

enum class RunPhase { Idle, Running, Canceling };

/// Where the run in progress is.
struct RunProgress {
  QString variantId;
  int repeat = 0;
  int of = 0;
  double fraction = 0.0;  ///< of the whole run, 0 … 1
  std::optional<double> secondsLeft;
  bool checksGradients = false;  ///< after the repeats
};

class RunState final : public QObject {
  Q_OBJECT

 public:
  /// @pre `calibration` outlives this
  explicit RunState(const Calibration* calibration, QObject* parent = nullptr);

  [[nodiscard]] RunPhase phase() const { return m_phase; }
  void setPhase(RunPhase phase);
  [[nodiscard]] const RunProgress& progress() const { return m_progress; }
  void setProgress(const RunProgress& progress);
  /// A run, a sweep or a calibration measures: it has the machine to itself, and searches and
  /// predictions that nobody waits for pause.
  [[nodiscard]] bool measuring() const { return m_measuring; }

  /// Why the last run could not even start (workspace locked or not writable); empty when it did.
  [[nodiscard]] QString problem() const { return m_problem; }
  void setProblem(const QString& problem);
  /// Empty when the engine was found; else why Run is off, and what to do.
  [[nodiscard]] QString engineProblem() const { return m_engineProblem; }
  void setEngineProblem(const QString& problem);
  /// A person has dismissed the message on how the last run ended. The next end is shown again.
  [[nodiscard]] bool endDismissed() const { return m_endDismissed; }
  void dismissEnd();
  /// A new result begins: its end is to be shown.
  void forgetDismissal() { m_endDismissed = false; }

 Q_SIGNALS:
  void phaseChanged();
  void measuringChanged();
  void progressChanged();
  void problemChanged();
  void engineProblemChanged();
  void endDismissedChanged();

 private:
  void refreshMeasuring();

  const Calibration* m_calibration;
  RunPhase m_phase = RunPhase::Idle;
  bool m_measuring = false;
  RunProgress m_progress;
  QString m_problem;
  QString m_engineProblem;
  bool m_endDismissed = false;
};

}  // namespace stagelane::ui
