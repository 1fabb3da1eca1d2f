#pragma once

/// Runs the tasks of a sweep one after another, each in a separate engine process, and resumes an
/// interrupted sweep. For the command line and the window; shows nothing itself.

#include <QObject>
#include <filesystem>
#include <memory>
#include <optional>

#include "app/engine_client/cost_source.h"
#include "app/engine_client/engine_process.h"
#include "engine/workspace/sweep_store.h"
#include "ui/kit/latest_job.h"

namespace stagelane::app {

class SweepRunner final : public QObject {
  Q_OBJECT

 public:
  explicit SweepRunner(QObject* parent = nullptr);

  /// Takes the workspace's lock until the sweep ends or is paused. The engine predicts with
  /// `costs`, by default estimates; a resumed task keeps its costs.
  /// @errors CannotWrite (another run), EngineFailure (no engine)
  [[nodiscard]] Status start(workspace::Sweep sweep, CostSource costs = {});
  /// Drops the repeat in progress and keeps the measurements; `start` resumes.
  void pause();
  /// Stops like pause, but the sweep cannot be resumed.
  void cancel();
  [[nodiscard]] bool running() const { return m_running; }
  /// The sweep of the last start, even if that failed.
  [[nodiscard]] const workspace::Sweep& sweep() const { return m_sweep; }
  [[nodiscard]] std::size_t task() const { return m_task; }

 Q_SIGNALS:
  void eventReceived(const stagelane::Json& event);
  /// Of the host of the current task.
  void connectionChanged(const stagelane::app::Connection& connection);
  /// A task has started, ended or failed.
  void taskChanged();
  /// The sweep is complete, paused or canceled, or failed with `error`.
  void finished(const std::optional<stagelane::Error>& error);

 private:
  /// Adds an ended run to the index and finds the next task and its plan, in another thread. A task
  /// whose experiment cannot be read or resolved fails without an engine.
  void lookForNext(const std::filesystem::path& ended);
  void next(const std::optional<std::size_t>& task, const Result<Json>& plan);
  [[nodiscard]] Status startTask(const Json& plan);
  void onFinished(const EngineOutcome& outcome);
  void end(const std::optional<Error>& error);
  void stop(workspace::SweepWish wish);

  EngineProcess m_engine;
  ui::LatestJob m_reading;
  std::optional<Error> m_interruption;  ///< that ended the current task
  workspace::Sweep m_sweep;
  CostSource m_costs;
  std::shared_ptr<const workspace::RunLock> m_lock;
  std::size_t m_task = 0;
  bool m_running = false;
};

}  // namespace stagelane::app
