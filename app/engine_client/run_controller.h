#pragma once

/// Runs the session's document: writes it to a file, starts the engine in a new run folder of the
/// workspace, and updates the session from the engine's events. Shows nothing itself.

#include <QElapsedTimer>
#include <QObject>
#include <QStringList>
#include <QThreadPool>
#include <QTimer>
#include <filesystem>
#include <memory>

#include "app/engine_client/connection_teller.h"
#include "app/engine_client/engine_input.h"
#include "app/engine_client/engine_process.h"
#include "app/engine_client/run_traces.h"
#include "engine/base/json.h"
#include "engine/record/open_run.h"
#include "engine/record/run_record.h"
#include "ui/kit/latest_job.h"
#include "ui/session/run/run_connection.h"
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

  /// Looks for the engine again and updates the session.
  void findEngineAgain();
  /// Shows a run of a folder, reading its result and traces in another thread. Emits `notOpened` on
  /// an error.
  void open(const std::filesystem::path& folder);
  /// The same, but reads the result before it returns, for use without interaction.
  /// @errors Invalid (not a run folder)
  [[nodiscard]] Status openAtOnce(const std::filesystem::path& folder);
  /// Hides the run and stops reading its traces.
  void leave();
  [[nodiscard]] bool running() const { return m_engine.isRunning() || m_startJob.running(); }
  /// The host of the run in progress, where it goes on if the window closes; "" for this machine.
  [[nodiscard]] QString host() const;
  /// True if no run or trace is being read.
  [[nodiscard]] bool settled() const {
    return !m_traces.busy() && m_opening == nullptr && !m_startJob.running();
  }

 public Q_SLOTS:
  /// Empty for all included variants.
  void run(const QStringList& tabIds);
  /// Resumes a run that was canceled, failed or was killed, or takes up one that continues on a
  /// host.
  void resume(const QString& folder);
  void cancel();

 Q_SIGNALS:
  /// One sentence on the outcome of the last run, for the run bar.
  void message(const QString& text);
  void notOpened(const stagelane::Error& error);

 private:
  [[nodiscard]] Status start(const QStringList& tabIds);
  [[nodiscard]] Result<QStringList> tabsToRun(const QStringList& asked) const;
  [[nodiscard]] Status goOn(const std::filesystem::path& folder);
  void tellStart(const Status& started);
  void leaveNewRun();
  /// Looks for runs that go on on a host.
  void findLeft();
  [[nodiscard]] bool mayRunOn(const QString& host) const;
  void onLeft(const EngineOutcome& outcome);
  void beginResult(const std::filesystem::path& folder, std::shared_ptr<const Json> document);
  void onEvent(const Json& event);
  void onFinished(const EngineOutcome& outcome);
  void publish();
  void updateProgress(const Json& event);
  void index();
  void show(record::RunResult result);
  void publishOpening();
  void endOpening();
  /// Stops opening a run.
  void stopOpening();

  ui::Session* m_session;
  EngineProcess m_engine;
  std::unique_ptr<EngineInput> m_file;  ///< the engine's input
  record::EventFold m_fold;
  QTimer m_publish;  ///< coalesces events
  QTimer m_tellProgress;
  ui::RunProgress m_progress;  ///< published at the next timeout of that timer
  RunTraces m_traces;
  QThreadPool m_indexing;
  bool m_mayRefuse = false;  ///< resuming; the engine has not accepted yet
  QElapsedTimer m_elapsed;
  ConnectionTeller m_connection;
  ui::LeftRun m_lastLeft;  ///< of this window
  ui::LatestJob m_leftJob;
  ui::LatestJob m_openJob;
  ui::LatestJob m_startJob;  ///< reads earlier measurements, or searches for the plan
  std::shared_ptr<record::OpenProgress> m_opening;  ///< null if no run is being opened
  QTimer m_openPoll;
};

}  // namespace stagelane::app
