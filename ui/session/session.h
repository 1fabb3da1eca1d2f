#pragma once

/// What all pages share: the document, the selected variant, its prediction, the run in progress,
/// the last run with its measured traces, the theme. Pages read it and listen to it; they change it
/// only through the functions here. It starts no process and reads no file.

#include <QHash>
#include <QObject>
#include <QSet>
#include <QString>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "engine/record/run_record.h"
#include "engine/trace/trace.h"
#include "engine/workspace/peak_history.h"
#include "ui/kit/current_theme.h"
#include "ui/session/document/document.h"
#include "ui/session/document/file_change.h"
#include "ui/session/legend_filter.h"
#include "ui/session/prediction/calibration.h"
#include "ui/session/prediction/cost_facts.h"
#include "ui/session/prediction/prediction.h"
#include "ui/session/run/current_sweep.h"
#include "ui/session/run/earlier_results.h"
#include "ui/session/run/opened_trace.h"
#include "ui/session/run/session_values.h"

namespace stagelane::ui {

class Session final : public QObject {
  Q_OBJECT

 public:
  explicit Session(QObject* parent = nullptr);
  ~Session() override;

  [[nodiscard]] ExperimentDocument& document() { return m_document; }
  [[nodiscard]] const ExperimentDocument& document() const { return m_document; }
  /// Whether another program has written the document's file; pages answer there.
  [[nodiscard]] FileChange& fileChange() { return m_fileChange; }
  [[nodiscard]] const FileChange& fileChange() const { return m_fileChange; }
  /// Null while nothing of the document can be read.
  [[nodiscard]] std::shared_ptr<const plan::Experiment> experiment() const;

  /// The concrete variant that Plan, Timeline and Charts show (`sweep-s20` for a sweep's member).
  [[nodiscard]] QString currentVariantId() const { return m_variantId; }
  [[nodiscard]] QString currentTabId() const { return m_tabId; }
  /// Null when it cannot be read.
  [[nodiscard]] const plan::Variant* currentVariant() const;
  void setCurrentVariant(const QString& variantId);
  void setCurrentTab(const QString& tabId);

  /// What is known of the experiment's costs. Whoever sets it sees to it that the table is of this
  /// model and these devices; a plan that it lacks something of is estimated.
  [[nodiscard]] CostTablePtr costs() const { return m_costs; }
  /// Where they come from, or why there are none; `file` is what a run of this plan goes by.
  [[nodiscard]] const CostFacts& costFacts() const { return m_costFacts; }
  void setCosts(CostTablePtr costs, CostFacts facts = {});
  /// By how much predicted peaks were off in the workspace's runs of the document's model.
  [[nodiscard]] const workspace::PeakHistory& peakHistory() const { return m_peakHistory; }
  void setPeakHistory(const workspace::PeakHistory& history);
  /// Whether they are being measured; pages ask for it there.
  [[nodiscard]] Calibration& calibration() { return m_calibration; }
  [[nodiscard]] const Calibration& calibration() const { return m_calibration; }

  /// What this machine has and can use; empty until somebody asked for it and it was looked up.
  [[nodiscard]] const std::vector<MachineDevice>& machineDevices() const { return m_machine; }
  void requestMachineDevices() { Q_EMIT machineDevicesRequested(); }
  void setMachineDevices(std::vector<MachineDevice> devices);

  /// Prediction of the current variant; stale (and `predictionStale`) while a new one is computed.
  [[nodiscard]] PlanPredictionPtr prediction() const { return m_prediction; }
  [[nodiscard]] bool predictionStale() const { return m_predictionStale; }
  /// Why there is none for the current variant.
  [[nodiscard]] const std::optional<Error>& predictionError() const { return m_predictionError; }
  void setPrediction(PlanPredictionPtr prediction, std::optional<Error> error);
  void setPredictionStale();

  /// The last run (or the one in progress, filling up); null before the first.
  [[nodiscard]] RunResultPtr result() const { return m_result; }
  [[nodiscard]] std::filesystem::path runFolder() const { return m_runFolder; }
  /// The variant's part of `result`; of an earlier run of this document where the last one left it
  /// out. Null where it was in none.
  [[nodiscard]] const record::VariantResult* resultOf(const QString& variantId) const;
  /// The measured trace of that result; null while there is none or it is loading.
  [[nodiscard]] trace::TracePtr measuredTrace(const QString& variantId) const;
  /// The document as it was when that was measured; null where nothing was.
  [[nodiscard]] std::shared_ptr<const Json> documentOf(const QString& variantId) const;
  /// Edits between the document and what was run, 0 where it is that again; the numbers are then of
  /// an older plan.
  [[nodiscard]] int editsSinceRun() const;
  /// The runs that the report is about; empty: the last run alone.
  [[nodiscard]] const std::vector<std::filesystem::path>& reportFolders() const {
    return m_reportFolders;
  }
  void setReportFolders(std::vector<std::filesystem::path> folders);
  /// The document as it was run; null before the first run.
  [[nodiscard]] std::shared_ptr<const Json> documentOfRun() const { return m_documentOfRun; }
  void startResult(const std::filesystem::path& folder, std::shared_ptr<const Json> document);
  void setResult(RunResultPtr result);
  void setMeasuredTrace(const QString& variantId, trace::TracePtr trace);

  /// A trace that is shown instead of the experiment's own; null for none.
  [[nodiscard]] OpenedTracePtr openedTrace() const { return m_openedTrace; }
  void setOpenedTrace(OpenedTracePtr trace);
  /// The trace file that is being read; nothing while none is.
  [[nodiscard]] const std::optional<TraceLoading>& traceLoading() const { return m_traceLoading; }
  void setTraceLoading(std::optional<TraceLoading> loading);
  /// The run folder that is being opened; nothing while none is.
  [[nodiscard]] const std::optional<TraceLoading>& runLoading() const { return m_runLoading; }
  void setRunLoading(std::optional<TraceLoading> loading);
  /// The variant's trace is being read: what is shown meanwhile is not what was measured.
  [[nodiscard]] bool traceComing(const QString& variantId) const;
  void setTraceComing(const QString& variantId, bool coming);

  /// What the legend switches off on every page.
  [[nodiscard]] const LegendFilter& legendFilter() const { return m_legendFilter; }
  void setLegendFilter(const LegendFilter& filter);

  [[nodiscard]] RunPhase runPhase() const { return m_phase; }
  [[nodiscard]] const RunProgress& progress() const { return m_progress; }
  /// A run, a sweep or a calibration measures: it has the machine to itself, and what searches or
  /// predicts without being waited for pauses.
  [[nodiscard]] bool measuring() const { return m_measuring; }
  void setRunPhase(RunPhase phase);
  void setProgress(const RunProgress& progress);

  /// Why the last Run could not even start (workspace locked or not writable); empty when it did.
  [[nodiscard]] QString runProblem() const { return m_runProblem; }
  void setRunProblem(const QString& problem);
  /// Somebody has read how the last run ended, and put it away until it ends anew.
  [[nodiscard]] bool runEndDismissed() const { return m_runEndDismissed; }
  void dismissRunEnd();
  /// The variant that failed is wanted on the Plan page, with what may mend it.
  void requestFixPlan() { Q_EMIT fixPlanRequested(); }

  /// What can be brought back; nothing when all was saved.
  [[nodiscard]] const std::optional<UnsavedWork>& unsavedWork() const { return m_unsavedWork; }
  void setUnsavedWork(std::optional<UnsavedWork> work);
  /// Brings it back, or forgets it.
  void answerUnsavedWork(bool restore) { Q_EMIT unsavedWorkAnswered(restore); }

  /// Empty when the engine was found; else why Run is off, and what to do.
  [[nodiscard]] QString engineProblem() const { return m_engineProblem; }
  void setEngineProblem(const QString& problem);

  [[nodiscard]] CurrentTheme* currentTheme() { return &m_theme; }
  [[nodiscard]] const CurrentTheme* currentTheme() const { return &m_theme; }
  [[nodiscard]] const Theme& theme() const { return m_theme.theme(); }
  [[nodiscard]] ThemeKind themeKind() const { return m_theme.kind(); }
  void setTheme(ThemeKind kind) { m_theme.set(kind); }

  /// Pages ask; whoever owns the window and the engine process answers.
  void requestRun(const QStringList& tabIds) { Q_EMIT runRequested(tabIds); }
  /// Measures what is missing in a run folder whose run was canceled, failed or was killed.
  void requestResume(const QString& folder) { Q_EMIT resumeRequested(folder); }
  void requestCancel() { Q_EMIT cancelRequested(); }
  /// What is swept; pages ask for it there.
  [[nodiscard]] CurrentSweep& sweep() { return m_sweep; }
  [[nodiscard]] const CurrentSweep& sweep() const { return m_sweep; }
  void requestOpenTrace() { Q_EMIT openTraceRequested(); }
  void requestStopLoading() { Q_EMIT stopLoadingRequested(); }
  void requestStopOpening() { Q_EMIT stopOpeningRequested(); }
  void requestPage(const QString& name) { Q_EMIT pageRequested(name); }
  /// Opens a run folder, with its experiment as the document, for one use of it.
  void requestOpenRun(const QString& folder, RunUse use) { Q_EMIT openRunRequested(folder, use); }
  /// Runs of the workspace were made, or have ended.
  void tellRunsChanged() { Q_EMIT runsChanged(); }
  /// A run that was begun in this window.
  void tellRunEnded(const QString& folder) { Q_EMIT runEnded(folder); }
  /// One sentence for the status bar (the hint of the moment); empty clears it.
  void showHint(const QString& text) { Q_EMIT hintChanged(text); }

 Q_SIGNALS:
  void documentChanged();
  void currentVariantChanged();
  void predictionChanged();
  void costsChanged();
  void peakHistoryChanged();
  void machineDevicesRequested();
  void machineDevicesChanged();
  void resultChanged();  ///< another repeat or variant was measured, or a new run
  void traceChanged(const QString& variantId);
  void openedTraceChanged();
  void traceLoadingChanged();
  void runLoadingChanged();
  void traceComingChanged(const QString& variantId);
  void legendFilterChanged();
  void runPhaseChanged();
  void measuringChanged();
  void progressChanged();
  void engineProblemChanged();
  void runProblemChanged();
  void runEndDismissedChanged();
  void fixPlanRequested();
  void unsavedWorkChanged();
  void unsavedWorkAnswered(bool restore);
  void themeChanged();
  void runRequested(const QStringList& tabIds);  ///< empty: all included
  void resumeRequested(const QString& folder);
  void cancelRequested();
  void openTraceRequested();
  void stopLoadingRequested();
  void stopOpeningRequested();
  void pageRequested(const QString& name);
  void openRunRequested(const QString& folder, stagelane::ui::RunUse use);
  void reportFoldersChanged();
  void runsChanged();
  void runEnded(const QString& folder);
  void hintChanged(const QString& text);

 private:
  void onDocumentChanged();
  void refreshMeasuring();
  void selectFallback();
  [[nodiscard]] const record::VariantResult* lastResultOf(const QString& variantId) const;

  ExperimentDocument m_document;
  FileChange m_fileChange;
  QString m_tabId;
  QString m_variantId;
  std::size_t m_tabPlace = 0;  ///< of the current tab
  std::size_t m_tabCount = 0;
  CostTablePtr m_costs;
  CostFacts m_costFacts;
  std::vector<MachineDevice> m_machine;
  workspace::PeakHistory m_peakHistory;
  Calibration m_calibration;
  PlanPredictionPtr m_prediction;
  bool m_predictionStale = false;
  std::optional<Error> m_predictionError;
  RunResultPtr m_result;
  std::filesystem::path m_runFolder;
  std::vector<std::filesystem::path> m_reportFolders;
  std::shared_ptr<const Json> m_documentOfRun;
  QHash<QString, trace::TracePtr> m_traces;
  EarlierResults m_earlier;
  bool m_resultIsForeign = false;  ///< another document has been loaded since its run began
  OpenedTracePtr m_openedTrace;
  std::optional<TraceLoading> m_traceLoading;
  std::optional<TraceLoading> m_runLoading;
  QSet<QString> m_tracesComing;
  LegendFilter m_legendFilter;
  RunPhase m_phase = RunPhase::Idle;
  bool m_measuring = false;
  RunProgress m_progress;
  CurrentSweep m_sweep;
  QString m_engineProblem;
  QString m_runProblem;
  bool m_runEndDismissed = false;
  std::optional<UnsavedWork> m_unsavedWork;
  CurrentTheme m_theme;
};

}  // namespace stagelane::ui
