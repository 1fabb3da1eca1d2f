#pragma once

/// Whether a run is in progress, its progress, how it ended, and what prevents one. Starts no
/// process: the owner of the engine process updates this.

#include <QObject>
#include <QString>
#include <optional>
#include <vector>

#include "ui/session/prediction/calibration.h"
#include "ui/session/run/run_connection.h"
#include "ui/session/run/run_ranks.h"

namespace stagelane::ui {

enum class RunPhase { Idle, Running, Canceling };

/// Progress of the current run.
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
  /// The processes of the current run, as the engine last reported them; empty: one, or unknown.
  [[nodiscard]] const std::vector<RunRank>& ranks() const { return m_ranks; }
  void setRanks(std::vector<RunRank> ranks);
  /// The connection to the host of the current run.
  [[nodiscard]] const RunConnection& connection() const { return m_connection; }
  void setConnection(const RunConnection& connection);
  /// The number of processes to run with, as the user chose; 0: as many as the experiment needs.
  [[nodiscard]] int wantedRanks() const { return m_wantedRanks; }
  void setWantedRanks(int ranks);
  /// A run, a sweep or a calibration is measuring and needs the machine to itself: background
  /// searches and predictions pause.
  [[nodiscard]] bool measuring() const { return m_measuring; }

  /// Why the last run could not start (workspace locked or not writable); empty if it did.
  [[nodiscard]] QString problem() const { return m_problem; }
  void setProblem(const QString& problem);
  /// Empty if the engine was found; else why Run is disabled, and what to do.
  [[nodiscard]] QString engineProblem() const { return m_engineProblem; }
  void setEngineProblem(const QString& problem);
  /// The message about the end of the last run was dismissed. The next end is shown again.
  [[nodiscard]] bool endDismissed() const { return m_endDismissed; }
  void dismissEnd();
  /// A new result begins; its end will be shown.
  void forgetDismissal() { m_endDismissed = false; }

 Q_SIGNALS:
  void phaseChanged();
  void measuringChanged();
  void progressChanged();
  void ranksChanged();
  void connectionChanged();
  void wantedRanksChanged();
  void problemChanged();
  void engineProblemChanged();
  void endDismissedChanged();

 private:
  void refreshMeasuring();

  const Calibration* m_calibration;
  RunPhase m_phase = RunPhase::Idle;
  bool m_measuring = false;
  RunProgress m_progress;
  std::vector<RunRank> m_ranks;
  RunConnection m_connection;
  int m_wantedRanks = 0;
  QString m_problem;
  QString m_engineProblem;
  bool m_endDismissed = false;
};

}  // namespace stagelane::ui
