#pragma once

/// The panel beside the table while two or more runs are ticked: one sentence, what changed, the
/// figures, the single repeats, and the median steps on one axis. Reads the runs in the background.

#include <QLabel>
#include <QVBoxLayout>
#include <QWidget>
#include <vector>

#include "ui/kit/combo.h"
#include "ui/kit/latest_job.h"
#include "ui/runs/compare/runs_side_by_side.h"
#include "ui/runs/compare/step_deltas.h"

namespace stagelane::ui {

class Session;

class RepeatsStrip;
class StepsStrip;

class RunsCompare final : public QWidget {
  Q_OBJECT

 public:
  explicit RunsCompare(Session* session, QWidget* parent = nullptr);
  /// The first run is the baseline of the comparison.
  void setRuns(std::vector<RunToLoad> runs);
  [[nodiscard]] bool busy() const { return m_loading.running(); }

 Q_SIGNALS:
  void closeRequested();

 private:
  void build();
  void load();
  void show(const Result<std::vector<LoadedRun>>& runs);
  void refreshVariants(const std::vector<LoadedRun>& runs);
  void refreshRows();
  void addHeading(const QString& text);
  void addSettings();
  void addFigures();
  /// The step's differences: a sentence per run, and for two runs the changes in rows.
  void addStepHeading();
  void addDeltas();
  void addDeltaRows(const QString& title, const QString& name,
                    const std::vector<StepDeltaRow>& rows);
  [[nodiscard]] QColor colorOf(RunTone tone) const;

  Session* m_session;
  std::vector<RunToLoad> m_runs;
  std::vector<LoadedRun> m_loaded;
  SideBySide m_comparison;
  LatestJob m_loading;
  Combo* m_variant;
  QLabel* m_sentence;
  QWidget* m_rows = nullptr;  ///< rebuilt for each comparison
  QVBoxLayout* m_content = nullptr;
  RepeatsStrip* m_repeats;
  StepsStrip* m_steps;
  QLabel* m_repeatsTitle;
  QLabel* m_stepsTitle;
};

}  // namespace stagelane::ui
