#include "app/engine_client/sweep_runner.h"

#include <QMetaObject>
#include <system_error>
#include <utility>

#include "engine/workspace/run_index.h"

namespace stagelane::app {
namespace {

using workspace::SweepWish;

/// True if the task would fail again, as with an error in the experiment. A task that was killed,
/// canceled, or short of a resource can be resumed.
bool isFinal(const EngineOutcome& outcome) {
  return outcome.error && outcome.error->code != ErrorCode::EngineFailure &&
         outcome.error->code != ErrorCode::CannotWrite;
}

}  // namespace

SweepRunner::SweepRunner(QObject* parent) : QObject(parent) {
  m_reading.setMaxThreadCount(1);
  connect(&m_engine, &EngineProcess::eventReceived, this, &SweepRunner::eventReceived);
  connect(&m_engine, &EngineProcess::finished, this, &SweepRunner::onFinished);
}

SweepRunner::~SweepRunner() { m_reading.waitForDone(); }

Status SweepRunner::start(workspace::Sweep sweep, CostSource costs) {
  m_sweep = std::move(sweep);
  STAGELANE_CHECK(findEngine());
  STAGELANE_TRY(lock,
                workspace::RunLock::take(workspace::workspaceRoot(), "the sweep " + m_sweep.name));
  m_sweep.wish = SweepWish::Go;
  STAGELANE_CHECK(workspace::writeSweep(m_sweep));
  m_lock = std::move(*lock);
  m_costs = std::move(costs);
  m_running = true;
  // Emit the end after this call returns.
  lookForNext({});
  return {};
}

void SweepRunner::lookForNext(const std::filesystem::path& ended) {
  m_reading.start([this, ended, sweep = m_sweep] {
    if (!ended.empty()) {
      if (auto index = workspace::RunIndex::open(workspace::workspaceRoot())) {
        // Ignore a failure: the index can be rebuilt from the folders.
        static_cast<void>((*index)->put(ended));
      }
    }
    QMetaObject::invokeMethod(
        this, [this, task = workspace::nextTask(sweep)] { next(task); }, Qt::QueuedConnection);
  });
}

void SweepRunner::next(const std::optional<std::size_t>& task) {
  if (m_interruption || !task || m_sweep.wish != SweepWish::Go) {
    end(std::exchange(m_interruption, std::nullopt));
    return;
  }
  m_task = *task;
  if (const Status started = startTask(); !started) {
    end(started.error());
    return;
  }
  Q_EMIT taskChanged();
}

Status SweepRunner::startTask() {
  workspace::SweepTask& task = m_sweep.tasks[m_task];
  std::error_code failed;
  const bool begun = !task.run.empty() &&
                     std::filesystem::exists(record::RunFolder{task.run}.experiment(), failed);
  if (begun) return m_engine.resume(task.run, m_lock);
  // An empty folder may be deleted or incomplete: replace it.
  STAGELANE_CHECK(workspace::reserveRun(workspace::workspaceRoot(), m_sweep, m_task));
  STAGELANE_TRY(costs, costsFile(m_costs, m_sweep.folder));
  return m_engine.start(m_sweep.folder / task.experiment, task.run, m_lock, {*costs, {}});
}

void SweepRunner::onFinished(const EngineOutcome& outcome) {
  workspace::SweepTask& task = m_sweep.tasks[m_task];
  if (outcome.error && isFinal(outcome)) {
    task.problem = describe(*outcome.error);
    task.exitCode = outcome.exitCode;
    if (const Status written = workspace::writeSweep(m_sweep); !written) {
      end(written.error());
      return;
    }
  }
  Q_EMIT taskChanged();
  m_interruption = isFinal(outcome) ? std::nullopt : outcome.error;
  lookForNext(task.run);
}

void SweepRunner::end(const std::optional<Error>& error) {
  m_running = false;
  m_lock.reset();
  Q_EMIT finished(error);
}

void SweepRunner::stop(SweepWish wish) {
  m_sweep.wish = wish;
  // If this is not saved, the sweep is offered again after a restart.
  static_cast<void>(workspace::writeSweep(m_sweep));
  m_engine.cancel();
}

void SweepRunner::pause() { stop(SweepWish::Paused); }

void SweepRunner::cancel() { stop(SweepWish::Canceled); }

}  // namespace stagelane::app
