#include "app/engine_client/sweep_controller.h"

#include <QStringList>
#include <algorithm>

#include "app/engine_client/event_members.h"
#include "app/engine_client/experiment_source.h"
#include "app/engine_client/start_problem.h"
#include "engine/base/goes_on.h"
#include "engine/base/json.h"
#include "engine/record/run_record.h"
#include "engine/workspace/calibration_store.h"
#include "engine/workspace/workspace.h"
#include "ui/kit/background.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/document.h"
#include "ui/session/page_requests.h"
#include "ui/session/prediction/costs.h"
#include "ui/session/run/current_sweep.h"
#include "ui/session/run/run_folders.h"
#include "ui/session/run/run_requests.h"
#include "ui/session/run/run_state.h"
#include "ui/session/run/sweep_view.h"
#include "ui/session/session.h"

namespace stagelane::app {
namespace {

constexpr int kRefreshMs = 300;

/// Reads all experiments of the sweep before the first is measured.
Result<workspace::Sweep> makeSweep(const Json& document, const plan::SweepSpec& spec,
                                   const std::string& name, const GoesOn& goesOn) {
  STAGELANE_TRY(jobs, plan::sweepJobs(document, spec));
  for (const plan::SweepJob& job : *jobs) {
    const auto experiment = plan::readExperiment(job.experiment, ".", machineFor(job.experiment));
    if (!isWanted(goesOn)) return canceledError(name);
    STAGELANE_CHECK(experiment);
  }
  return workspace::createSweep(workspace::workspaceRoot(), name, *jobs);
}

std::map<std::string, QString> namesOf(const record::RunResult& run) {
  std::map<std::string, QString> names;
  for (const record::VariantResult& variant : run.variants) {
    names[variant.id] = ui::qstring(variant.name.empty() ? variant.id : variant.name);
  }
  return names;
}

/// Names of the variants of a task's run; empty before it starts.
std::map<std::string, QString> namesIn(const workspace::Sweep& sweep, std::size_t task) {
  const auto run = task < sweep.tasks.size() ? workspace::progressOf(sweep.tasks[task]).result
                                             : std::optional<record::RunResult>();
  return run ? namesOf(*run) : std::map<std::string, QString>();
}

QString completionText(const workspace::Sweep& sweep) {
  QStringList failed;
  for (const workspace::SweepTask& task : sweep.tasks) {
    if (!task.problem.empty()) failed << ui::qstring(task.label.empty() ? sweep.name : task.label);
  }
  return failed.isEmpty() ? QObject::tr("The sweep is complete")
                          : QObject::tr("Part of the sweep failed: %1").arg(failed.join(u", "_s));
}

}  // namespace

SweepController::SweepController(ui::Session* session, QObject* parent)
    : QObject(parent), m_session(session), m_connection(&session->runState()) {
  m_refresh.setSingleShot(true);
  m_refresh.setInterval(kRefreshMs);
  connect(&m_refresh, &QTimer::timeout, this, &SweepController::refresh);
  connect(&session->sweep(), &ui::CurrentSweep::requested, this, &SweepController::create);
  connect(&session->sweep(), &ui::CurrentSweep::goOnRequested, this, &SweepController::goOn);
  connect(&session->sweep(), &ui::CurrentSweep::cancelRequested, this, &SweepController::cancel);
  connect(&session->runRequests(), &ui::RunRequests::cancelRequested, this, [this] {
    if (m_runner.running()) {
      m_session->runState().setPhase(ui::RunPhase::Canceling);
      m_runner.pause();
    } else if (m_making.running()) {
      m_session->runState().setPhase(ui::RunPhase::Canceling);
      m_wish = workspace::SweepWish::Paused;
    }
  });
  connect(&m_runner, &SweepRunner::eventReceived, this, &SweepController::onEvent);
  connect(&m_runner, &SweepRunner::connectionChanged, &m_connection, &ConnectionTeller::tell);
  connect(&m_runner, &SweepRunner::taskChanged, this, [this] {
    m_session->runFolders().tellChanged();
    refresh();
  });
  connect(&m_runner, &SweepRunner::finished, this, &SweepController::onFinished);
  connect(&session->sweep(), &ui::CurrentSweep::changed, this, [this] {
    // The user hid the sweep: a view still being read must not show it again.
    if (!m_session->sweep().view() && !m_runner.running()) {
      m_refresh.stop();
      m_viewing.cancel();
    }
  });
  findUnfinished();
}

std::shared_ptr<ui::SweepPredictions> SweepController::predictions() const {
  auto by = std::make_shared<ui::SweepPredictions>();
  if (m_session->document().experiment()) by->costs = m_session->costs().table();
  return by;
}

/// Offers a sweep that a crash interrupted but does not start it: the machine may be in use.
void SweepController::findUnfinished() {
  m_viewing.start([this](const std::atomic<bool>& canceled) -> std::function<void()> {
    ui::workBehindTheWindow();
    ui::SweepPredictions predictions;  // those of an earlier sweep may be of another model
    for (const workspace::Sweep& sweep : workspace::listSweeps(workspace::workspaceRoot())) {
      if (sweep.wish != workspace::SweepWish::Canceled && workspace::nextTask(sweep)) {
        auto view = ui::viewOfSweep(sweep, predictions, [&canceled] { return !canceled; });
        return [this, view = std::move(view)] { publish(view); };
      }
    }
    return {};
  });
}

void SweepController::create(const plan::SweepSpec& spec) {
  if (m_session->runState().phase() != ui::RunPhase::Idle) {
    m_session->pages().showHint(tr("A run is in progress; wait for it or cancel it"));
    return;
  }
  // Hide the previous sweep, whose points would look like those of the new one.
  m_session->sweep().setView(nullptr);
  const ui::ExperimentDocument& document = m_session->document();
  prepare([json = withAbsolutePaths(document.json(), ui::utf8(document.baseFolder())), spec,
           name = ui::utf8(document.name())](std::shared_ptr<ui::SweepPredictions> predictions,
                                             const GoesOn& goesOn) -> Result<Prepared> {
    STAGELANE_TRY(made, makeSweep(json, spec, name, goesOn));
    predictions->machine = machineFor(json);
    return Prepared{std::move(*made), std::move(predictions)};
  });
}

void SweepController::goOn(const QString& folder) {
  if (m_session->runState().phase() != ui::RunPhase::Idle) return;
  // The last failure no longer applies.
  if (const ui::SweepViewPtr shown = m_session->sweep().view(); shown && shown->folder == folder) {
    auto view = std::make_shared<ui::SweepView>(*shown);
    view->state = ui::SweepState::Running;
    view->problem.clear();
    m_session->sweep().setView(std::move(view));
  }
  prepare([folder = ui::utf8(folder), document = m_session->document().experiment()](
              std::shared_ptr<ui::SweepPredictions> predictions,
              const GoesOn&) -> Result<Prepared> {
    STAGELANE_TRY(sweep, workspace::readSweep(folder));
    if (!sweep->tasks.empty()) {
      const auto first =
          readExperimentArgument((sweep->folder / sweep->tasks.front().experiment).string(), {});
      // All tasks of a sweep have the same model.
      const bool ofDocument =
          first && document &&
          workspace::calibrationKey(first->experiment) == workspace::calibrationKey(*document);
      if (!ofDocument) predictions->costs = nullptr;
      predictions->machine = first ? machineFor(first->source.document) : plan::MachineDevices{};
    }
    return Prepared{std::move(*sweep), std::move(predictions)};
  });
}

/// The sweep counts as running from here on, so that nothing else starts.
void SweepController::prepare(Preparing work) {
  m_wish.reset();
  m_turn = {};
  m_session->runState().setProgress({});
  m_session->runState().setPhase(ui::RunPhase::Running);
  m_making.start([this, work = std::move(work),
                  by = predictions()](const std::atomic<bool>& canceled) {
    auto prepared = std::make_shared<Result<Prepared>>(work(by, [&canceled] { return !canceled; }));
    return [this, prepared] { onPrepared(std::move(*prepared)); };
  });
}

void SweepController::onPrepared(Result<Prepared> prepared) {
  if (!prepared) {
    m_session->runState().setProblem(startProblem(prepared.error()));
    m_session->runState().setPhase(ui::RunPhase::Idle);
    Q_EMIT message(tr("The sweep could not start"));
    m_session->sweep().setView(nullptr);
    findUnfinished();
    return;
  }
  if (!m_wish) {
    start(std::move(*prepared));
    return;
  }
  prepared->sweep.wish = *m_wish;
  if (const Status written = workspace::writeSweep(prepared->sweep); !written) {
    m_session->pages().showHint(ui::errorText(written.error()));
  }
  m_session->runState().setPhase(ui::RunPhase::Idle);
  if (*m_wish == workspace::SweepWish::Canceled) m_session->sweep().setView(nullptr);
  findUnfinished();
}

void SweepController::cancel(const QString& folder) {
  if (m_runner.running()) {
    m_session->runState().setPhase(ui::RunPhase::Canceling);
    m_runner.cancel();
    return;
  }
  if (m_making.running()) {
    m_session->runState().setPhase(ui::RunPhase::Canceling);
    m_wish = workspace::SweepWish::Canceled;
    return;
  }
  // Another program may be running the sweep and would not notice the cancellation. A run of this
  // window is not part of the sweep.
  if (m_session->runState().phase() == ui::RunPhase::Idle) {
    const auto lock = workspace::RunLock::take(workspace::workspaceRoot(), "canceling a sweep");
    if (!lock) {
      tellProblem(tr("Cannot cancel the sweep. %1").arg(ui::errorText(lock.error())));
      return;
    }
  }
  if (auto sweep = workspace::readSweep(ui::utf8(folder))) {
    sweep->wish = workspace::SweepWish::Canceled;
    if (const Status written = workspace::writeSweep(*sweep); !written) {
      m_session->pages().showHint(ui::errorText(written.error()));
    }
  }
  m_session->sweep().setView(nullptr);
}

/// Shows the problem on the panel of the sweep.
void SweepController::tellProblem(const QString& problem) {
  if (const ui::SweepViewPtr shown = m_session->sweep().view()) {
    ui::SweepView told = *shown;
    told.problem = problem;
    m_session->sweep().setView(std::make_shared<const ui::SweepView>(std::move(told)));
  }
}

void SweepController::start(Prepared prepared) {
  m_predictions = std::move(prepared.predictions);
  // The engine must predict with the same costs as the window.
  const Status begun =
      m_runner.start(std::move(prepared.sweep),
                     {.table = m_predictions->costs, .file = m_session->costs().facts().file});
  m_session->runState().setProblem({});
  m_problem = begun ? QString() : startProblem(begun.error());
  if (!begun) {
    m_session->runState().setPhase(ui::RunPhase::Idle);
    Q_EMIT message(tr("The sweep could not start"));
    refresh();
    return;
  }
  Q_EMIT started();
  m_elapsed.start();
  m_repeatsAtStart = -1;
  refresh();
}

void SweepController::onEvent(const Json& event) {
  const std::string name = textAt(event, "event");
  if (name == "progress") {
    m_turn.variantId = nameOf(textAt(event, "variant"));
    m_turn.repeat = flagAt(event, "warmup") ? 0 : static_cast<int>(numberAt(event, "repeat"));
    m_turn.of = static_cast<int>(numberAt(event, "of"));
  }
  if (name == "started") {
    record::EventFold fold;
    fold.apply(event);
    m_names = namesOf(fold.result());
  }
  if (name == "started" || name == "resumed") m_session->runFolders().tellChanged();
  if (!m_refresh.isActive()) m_refresh.start();
}

/// The run is not the session's, so only this class has the variant names.
QString SweepController::nameOf(const std::string& variantId) const {
  const auto name = m_names.find(variantId);
  return name == m_names.end() ? ui::qstring(variantId) : name->second;
}

void SweepController::refresh() {
  if (m_viewing.running()) {
    m_refresh.start();
    return;
  }
  m_viewing.start([this, sweep = m_runner.sweep(), task = m_runner.task(),
                   predictions = m_predictions](const std::atomic<bool>& canceled) {
    ui::workBehindTheWindow();
    auto view = ui::viewOfSweep(sweep, *predictions, [&canceled] { return !canceled; });
    return [this, view = std::move(view), names = namesIn(sweep, task)] {
      m_names = names;
      publish(view);
    };
  });
}

void SweepController::publish(ui::SweepView view) {
  ui::RunProgress progress = m_turn;
  if (m_runner.running()) {
    view.state = ui::SweepState::Running;
    m_repeatsAtStart = m_repeatsAtStart < 0 ? view.repeatsDone : m_repeatsAtStart;
    const int now = view.repeatsDone - m_repeatsAtStart;
    const int left = view.repeatsAsked - view.repeatsDone;
    progress.fraction = static_cast<double>(view.repeatsDone) / std::max(1, view.repeatsAsked);
    if (now > 0) progress.secondsLeft = static_cast<double>(m_elapsed.elapsed()) / 1e3 / now * left;
  } else if (!m_problem.isEmpty()) {
    view.problem = m_problem;
  }
  m_session->sweep().setView(std::make_shared<const ui::SweepView>(std::move(view)));
  // After the view, which the bars show.
  if (m_runner.running()) m_session->runState().setProgress(progress);
}

void SweepController::onFinished(const std::optional<Error>& error) {
  m_refresh.stop();
  m_connection.end();
  m_session->runState().setPhase(ui::RunPhase::Idle);
  m_problem = error ? ui::errorText(*error) : QString();
  m_session->runFolders().tellChanged();
  const workspace::SweepWish wish = m_runner.sweep().wish;
  Q_EMIT message(error                                    ? tr("The sweep was interrupted")
                 : wish == workspace::SweepWish::Paused   ? tr("The sweep is paused")
                 : wish == workspace::SweepWish::Canceled ? tr("The sweep was canceled")
                                                          : completionText(m_runner.sweep()));
  refresh();
}

}  // namespace stagelane::app
