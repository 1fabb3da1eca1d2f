#include "app/engine_client/sweep_runner.h"

#include <system_error>
#include <utility>

#include "app/engine_client/experiment_source.h"
#include "engine/base/files.h"
#include "engine/plan/fixed_plan.h"
#include "engine/record/remote_run.h"
#include "engine/search/resolve.h"
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

/// The plan for the engine.
Result<Json> planOf(const std::filesystem::path& file, const predict::CostTable* costs,
                    const GoesOn& goesOn) {
  STAGELANE_TRY(loaded, readExperimentArgument(file.string(), {}));
  return search::resolve(std::move(loaded->experiment), costs, goesOn).map(plan::fixedPlan);
}

/// Whether an engine has begun the task, so that its run is resumed.
bool hasBegun(const workspace::SweepTask& task) {
  std::error_code failed;
  return !task.run.empty() &&
         (std::filesystem::exists(record::RunFolder{task.run}.experiment(), failed) ||
          record::isRemoteRunOpen(task.run));
}

}  // namespace

SweepRunner::SweepRunner(QObject* parent) : QObject(parent) {
  connect(&m_engine, &EngineProcess::eventReceived, this, &SweepRunner::eventReceived);
  connect(&m_engine, &EngineProcess::connectionChanged, this, &SweepRunner::connectionChanged);
  connect(&m_engine, &EngineProcess::finished, this, &SweepRunner::onFinished);
}

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
  m_reading.start(
      [this, ended, sweep = m_sweep, costs = m_costs.table](const std::atomic<bool>& canceled) {
        if (!ended.empty()) {
          if (auto index = workspace::RunIndex::open(workspace::workspaceRoot())) {
            // Ignore a failure: the index can be rebuilt from the folders.
            static_cast<void>((*index)->put(ended));
          }
        }
        const auto task = workspace::nextTask(sweep);
        const bool isNew = task && sweep.wish == SweepWish::Go && !hasBegun(sweep.tasks[*task]);
        const auto plan = isNew ? planOf(sweep.folder / sweep.tasks[*task].experiment, costs.get(),
                                         [&canceled] { return !canceled; })
                                : Result<Json>(Json());
        return [this, task, plan] { next(task, plan); };
      });
}

void SweepRunner::next(const std::optional<std::size_t>& task, const Result<Json>& plan) {
  if (m_interruption || !task || m_sweep.wish != SweepWish::Go) {
    end(std::exchange(m_interruption, std::nullopt));
    return;
  }
  m_task = *task;
  if (!plan) {
    onFinished({static_cast<int>(plan.error().code), plan.error(), {}});
    return;
  }
  if (const Status started = startTask(*plan); !started) {
    end(started.error());
    return;
  }
  Q_EMIT taskChanged();
}

Status SweepRunner::startTask(const Json& plan) {
  workspace::SweepTask& task = m_sweep.tasks[m_task];
  if (hasBegun(task)) return m_engine.resume(task.run, m_lock);
  // An empty folder may be deleted or incomplete: replace it.
  STAGELANE_CHECK(workspace::reserveRun(workspace::workspaceRoot(), m_sweep, m_task));
  STAGELANE_TRY(costs, costsFile(m_costs, m_sweep.folder));
  const std::filesystem::path file = m_sweep.folder / task.experiment;
  const EngineFiles files{*costs, std::filesystem::path(file).replace_extension("plan.json")};
  STAGELANE_CHECK(writeFileAtomically(files.plan, plan.dump(1) + "\n", Links::Replace));
  return m_engine.start(file, task.run, m_lock, files);
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
  if (!m_reading.running()) return;
  m_reading.cancel();
  end(std::exchange(m_interruption, std::nullopt));
}

void SweepRunner::pause() { stop(SweepWish::Paused); }

void SweepRunner::cancel() { stop(SweepWish::Canceled); }

}  // namespace stagelane::app
