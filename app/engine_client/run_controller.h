#pragma once

/// Runs the session's document: writes it to a file, starts the engine in a new run folder of the
/// workspace, and keeps the session up to date with what the engine says. Shows nothing itself.

#include <QElapsedTimer>
#include <QObject>
#include <QStringList>
#include <QThreadPool>
#include <QTimer>
#include <filesystem>
#include <memory>

#include "app/engine_client/engine_process.h"
#include "app/engine_client/run_traces.h"
#include "app/engine_client/temporary_experiment.h"
#include "engine/base/json.h"
#include "engine/record/open_run.h"
#include "engine/record/run_record.h"
#include "ui/kit/latest_job.h"
#include "ui/session/run/run_state.h"

namespace stagelane::ui {
class Session;
}  // namespace stagelane::ui

namespace stagelane::app {

class RunController final : public QObject {
  Q_OBJECT

 public:
  explicit RunController(ui::Session* session, QObject* parent = nullptr);
  ~RunController() override;

  /// Looks for the engine again and tells the session.
  void findEngineAgain();
  /// Shows a run that lies in a folder: its result and its traces as they are read, beside the
  /// window. What is wrong with it `notOpened` tells.
  void open(const std::filesystem::path& folder);
  /// The same, with its result when this returns: where nobody waits at a window.
  /// @errors Invalid (no run folder)
  [[nodiscard]] Status openAtOnce(const std::filesystem::path& folder);
  /// Shows no run, and nothing of one whose traces are still being read.
  void leave();
  [[nodiscard]] bool running() const { return m_engine.isRunning() || m_resumeJob.running(); }
  /// No run and no trace is being read.
  [[nodiscard]] bool settled() const {
    return !m_traces.busy() && m_opening == nullptr && !m_resumeJob.running();
  }

 public Q_SLOTS:
  /// Empty: every included variant.
  void run(const QStringList& tabIds);
  /// Goes on in a run folder where a run was canceled, failed or was killed.
  void resume(const QString& folder);
  void cancel();

 Q_SIGNALS:
  /// One sentence on how the last run went, for the run bar.
  void message(const QString& text);
  void notOpened(const stagelane::Error& error);

 private:
  [[nodiscard]] Status start(const QStringList& tabIds);
  [[nodiscard]] Result<QStringList> tabsToRun(const QStringList& asked) const;
  [[nodiscard]] Status goOn(const std::filesystem::path& folder);
  void tellStart(const Status& started);
  void beginResult(const std::filesystem::path& folder, std::shared_ptr<const Json> document);
  void onEvent(const Json& event);
  void onFinished(const EngineOutcome& outcome);
  void publish();
  void updateProgress(const Json& event);
  void index();
  void show(record::RunResult result);
  void publishOpening();
  void endOpening();
  /// What was being opened is wanted no more.
  void stopOpening();

  ui::Session* m_session;
  EngineProcess m_engine;
  std::unique_ptr<TemporaryExperiment> m_file;  ///< what the engine reads
  record::EventFold m_fold;
  QTimer m_publish;  ///< coalesces events
  QTimer m_tellProgress;
  ui::RunProgress m_progress;  ///< told at the next turn of that timer, to all at once
  RunTraces m_traces;
  QThreadPool m_indexing;
  bool m_mayRefuse = false;  ///< asked to go on with a run, the engine has not said that it does
  QElapsedTimer m_elapsed;
  ui::LatestJob m_openJob;
  ui::LatestJob m_resumeJob;                        ///< reads what was measured before
  std::shared_ptr<record::OpenProgress> m_opening;  ///< null: no run is being opened
  QTimer m_openPoll;
};

}  // namespace stagelane::app
