#pragma once

/// Runs the tasks of a sweep one after another, each in an engine process of its own, and goes on
/// with what an earlier program left. For the command line and the window; shows nothing itself.

#include <QObject>
#include <QThreadPool>
#include <filesystem>
#include <memory>
#include <optional>

#include "app/engine_client/cost_source.h"
#include "app/engine_client/engine_process.h"
#include "engine/workspace/sweep_store.h"

namespace stagelane::app {

class SweepRunner final : public QObject {
  Q_OBJECT

 public:
  explicit SweepRunner(QObject* parent = nullptr);
  ~SweepRunner() override;

  /// Takes the workspace's lock until the sweep ends or is paused. `costs` are what the engine
  /// predicts by, estimates by default; a task that goes on keeps its own.
  /// @errors CannotWrite (another run), EngineFailure (no engine)
  [[nodiscard]] Status start(workspace::Sweep sweep, CostSource costs = {});
  /// The repeat under way ends early and is lost; what was measured is kept, and `start` goes on.
  void pause();
  /// The same for good.
  void cancel();
  [[nodiscard]] bool running() const { return m_running; }
  /// The one that was started last, also where it was refused.
  [[nodiscard]] const workspace::Sweep& sweep() const { return m_sweep; }
  [[nodiscard]] std::size_t task() const { return m_task; }

 Q_SIGNALS:
  void eventReceived(const stagelane::Json& event);
  /// A task has begun, ended or failed.
  void taskChanged();
  /// Nothing runs any more: through, paused, canceled, or `error`.
  void finished(const std::optional<stagelane::Error>& error);

 private:
  /// Puts a run that ended into the index and reads what is left to do, beside the window.
  void lookForNext(const std::filesystem::path& ended);
  void next(const std::optional<std::size_t>& task);
  [[nodiscard]] Status startTask();
  void onFinished(const EngineOutcome& outcome);
  void end(const std::optional<Error>& error);
  void stop(workspace::SweepWish wish);

  EngineProcess m_engine;
  QThreadPool m_reading;
  std::optional<Error> m_interruption;  ///< by which the task under way ended
  workspace::Sweep m_sweep;
  CostSource m_costs;
  std::shared_ptr<const workspace::RunLock> m_lock;
  std::size_t m_task = 0;
  bool m_running = false;
};

}  // namespace stagelane::app
