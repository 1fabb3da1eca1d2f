#include "app/engine_client/run_controller.h"

#include <QMetaObject>
#include <algorithm>
#include <optional>
#include <utility>

#include "app/engine_client/cost_source.h"
#include "app/engine_client/event_members.h"
#include "app/engine_client/experiment_source.h"
#include "app/engine_client/left_runs.h"
#include "app/engine_client/start_problem.h"
#include "engine/base/json.h"
#include "engine/plan/experiment.h"
#include "engine/plan/fixed_plan.h"
#include "engine/predict/variant_schedule.h"
#include "engine/record/remote_run.h"
#include "engine/search/resolve.h"
#include "engine/workspace/run_index.h"
#include "engine/workspace/workspace.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/document.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/page_requests.h"
#include "ui/session/prediction/costs.h"
#include "ui/session/prediction/predictor.h"
#include "ui/session/run/loading.h"
#include "ui/session/run/measured_results.h"
#include "ui/session/run/opened_trace.h"
#include "ui/session/run/rank_choice.h"
#include "ui/session/run/run_choice.h"
#include "ui/session/run/run_folders.h"
#include "ui/session/run/run_requests.h"
#include "ui/session/run/run_state.h"
#include "ui/session/session.h"

namespace stagelane::app {
namespace {

constexpr int kPublishMs = 33;
constexpr int kProgressMs = 250;  ///< faster changes are unreadable
constexpr int kOpenPollMs = 60;

/// The result to show for a run that ended without one.
record::RunResult withoutResult(const std::string& name, const EngineOutcome& outcome) {
  record::RunResult result;
  result.name = name;
  if (!outcome.error && outcome.exitCode == kExitCanceled) {
    result.status = record::RunStatus::Canceled;
    return result;
  }
  result.status = record::RunStatus::Failed;
  const Error error = outcome.error.value_or(
      Error{ErrorCode::EngineFailure, "the engine ended without a result", "", ""});
  result.reason = describe(error);
  result.failure = failureOf(error);
  return result;
}

QString outcomeText(const record::RunResult& result) {
  std::size_t repeats = 0;
  int done = 0;
  int others = 0;
  for (const record::VariantResult& variant : result.variants) {
    repeats = std::max(repeats, variant.seconds.size());
    const bool isDone = variant.status == record::RunStatus::Done;
    done += isDone ? 1 : 0;
    others += isDone ? 0 : 1;
  }
  const QString variants = ui::countedText(done, QObject::tr("variant"), QObject::tr("variants"));
  switch (result.status) {
    case record::RunStatus::Done:
      return others == 0 ? QObject::tr("Last run: done, %1, %2")
                               .arg(variants,
                                    ui::countedText(static_cast<std::int64_t>(repeats),
                                                    QObject::tr("repeat"), QObject::tr("repeats")))
                         : QObject::tr("Last run: done, %1, %2 not run").arg(variants).arg(others);
    case record::RunStatus::Canceled: return QObject::tr("Last run: canceled");
    case record::RunStatus::Running: return QObject::tr("In progress in another program");
    default: return QObject::tr("Last run: failed");
  }
}

/// The experiment with the stages and orders that the window has shown; anything else stays open.
/// Only these tabs are included (if empty: as the document says).
plan::Experiment shownPlan(const ui::Session& session, const QStringList& tabIds) {
  plan::Experiment experiment = session.predictor().shownPlan();
  for (plan::Variant& variant : experiment.variants) {
    const ui::VariantTab* tab = session.document().tabOfVariant(ui::qstring(variant.id));
    if (tab != nullptr && !tabIds.isEmpty()) variant.include = tabIds.contains(tab->id);
  }
  return experiment;
}

/// The engine fails a whole run for one variant without a valid schedule.
Result<Json> planToRun(const plan::Experiment& experiment) {
  STAGELANE_CHECK(predict::checkSchedules(experiment));
  return plan::fixedPlan(experiment);
}

}  // namespace

RunController::RunController(ui::Session* session, QObject* parent)
    : QObject(parent), m_session(session), m_traces(session), m_connection(&session->runState()) {
  m_indexing.setMaxThreadCount(1);
  m_publish.setSingleShot(true);
  m_publish.setInterval(kPublishMs);
  connect(&m_publish, &QTimer::timeout, this, &RunController::publish);
  m_tellProgress.setSingleShot(true);
  m_tellProgress.setInterval(kProgressMs);
  connect(&m_tellProgress, &QTimer::timeout, this,
          [this] { m_session->runState().setProgress(m_progress); });
  connect(&m_engine, &EngineProcess::eventReceived, this, &RunController::onEvent);
  connect(&m_engine, &EngineProcess::finished, this, &RunController::onFinished);
  connect(&m_engine, &EngineProcess::connectionChanged, &m_connection, &ConnectionTeller::tell);
  connect(&session->runRequests(), &ui::RunRequests::runRequested, this, &RunController::run);
  connect(&session->runRequests(), &ui::RunRequests::resumeRequested, this, &RunController::resume);
  connect(&session->runRequests(), &ui::RunRequests::cancelRequested, this, &RunController::cancel);
  connect(&session->runRequests(), &ui::RunRequests::tryNowRequested, &m_engine,
          &EngineProcess::tryNow);
  connect(&session->loading(), &ui::Loading::stopRunRequested, this, [this] {
    if (m_opening) {
      leave();
      m_session->pages().showHint(tr("Stopped reading the run. Its experiment remains open."));
    }
  });
  connect(&session->loading(), &ui::Loading::stopTraceRequested, &m_traces, &RunTraces::stop);
  m_openPoll.setInterval(kOpenPollMs);
  connect(&m_openPoll, &QTimer::timeout, this, &RunController::publishOpening);
  findEngineAgain();
  findLeft();
}

RunController::~RunController() {
  stopOpening();
  m_indexing.waitForDone();
}

void RunController::findEngineAgain() {
  const auto engine = findEngine();
  m_session->runState().setEngineProblem(engine ? QString() : ui::errorText(engine.error()));
}

/// A run on a host uses the engine there.
bool RunController::mayRunOn(const QString& host) const {
  const ui::RunState& state = m_session->runState();
  return state.phase() == ui::RunPhase::Idle &&
         (state.engineProblem().isEmpty() || !host.isEmpty());
}

void RunController::run(const QStringList& tabIds) {
  findEngineAgain();
  if (mayRunOn(ui::hostToRun(m_session->document()))) tellStart(start(tabIds));
}

void RunController::resume(const QString& folder) {
  findEngineAgain();
  if (mayRunOn(hostOfFolder(folder))) tellStart(goOn(ui::utf8(folder)));
}

QString RunController::host() const { return m_session->runState().connection().host; }

void RunController::findLeft() {
  m_leftJob.start([this](const std::atomic<bool>&) {
    return [this, left = leftRuns()]() mutable {
      const QString own = ui::qstring(m_session->results().folder().string());
      if (running()) std::erase_if(left, [&](const ui::LeftRun& run) { return run.folder == own; });
      for (ui::LeftRun& run : left) {
        if (run.folder == m_lastLeft.folder) run.problem = m_lastLeft.problem;
      }
      m_session->runFolders().setLeft(std::move(left));
    };
  });
}

Status RunController::goOn(const std::filesystem::path& folder) {
  STAGELANE_TRY(lock, workspace::RunLock::take(workspace::workspaceRoot(), folder.string()));
  STAGELANE_TRY(document, readJsonFile(record::RunFolder{folder}.experiment().string()));
  beginResult(folder, std::make_shared<const Json>(std::move(*document)));
  // A long run's measurements take time to read.
  m_startJob.start(
      [this, folder, held = std::shared_ptr<const workspace::RunLock>(std::move(*lock))](
          const std::atomic<bool>&) {
        auto fold = std::make_shared<record::EventFold>(record::readEvents(folder));
        return [this, folder, held, fold] {
          m_fold = std::move(*fold);
          publish();
          // A run that goes on was accepted long ago.
          m_mayRefuse = !record::isRemoteRunOpen(folder);
          tellStart(m_engine.resume(folder, held, m_fold.result().ranks));
        };
      });
  return {};
}

void RunController::beginResult(const std::filesystem::path& folder,
                                std::shared_ptr<const Json> document) {
  stopOpening();
  m_traces.forget();
  m_fold = {};
  m_elapsed.start();
  m_session->results().start(folder, std::move(document));
  m_session->runState().setProgress({});
  m_session->runState().setPhase(ui::RunPhase::Running);
  findLeft();
}

void RunController::tellStart(const Status& started) {
  m_session->runState().setProblem(started ? QString() : startProblem(started.error()));
  if (!started) {
    m_connection.end();
    m_session->runState().setPhase(ui::RunPhase::Idle);
    findLeft();
    Q_EMIT message(tr("The run could not start"));
  }
}

/// The tabs to run; empty to run those that the file includes.
Result<QStringList> RunController::tabsToRun(const QStringList& asked) const {
  const ui::ExperimentDocument& document = m_session->document();
  if (asked.isEmpty()) {
    const ui::RunChoice choice = ui::includedToRun(document);
    if (choice.tabIds.isEmpty() && !choice.leftOut.empty()) return ui::refused(choice.whyNot);
    return choice.leftOut.empty() ? QStringList() : choice.tabIds;
  }
  for (const QString& id : asked) {
    const ui::VariantTab* tab = document.tab(id);
    const auto reason =
        tab != nullptr ? ui::whyTabCannotRun(document, *tab) : std::optional<ui::CannotRun>();
    if (reason && tab->error) return tl::make_unexpected(*tab->error);
    if (reason) return ui::refused(ui::cannotRunText(*tab, *reason));
  }
  return asked;
}

Status RunController::start(const QStringList& tabIds) {
  STAGELANE_TRY(chosen, tabsToRun(tabIds));
  const Json document = withAbsolutePaths(ui::documentToRun(m_session->document(), *chosen),
                                          ui::utf8(m_session->document().baseFolder()));
  const std::filesystem::path root = workspace::workspaceRoot();
  STAGELANE_TRY(lock, workspace::RunLock::take(root, ui::utf8(m_session->document().name())));
  STAGELANE_TRY(folder, workspace::newRunFolder(root, ui::utf8(m_session->document().name())));
  m_file = std::make_unique<EngineInput>();
  STAGELANE_CHECK(m_file->write(document));
  // The engine must predict with the same costs as the window.
  STAGELANE_TRY(costs, costsFile({.table = m_session->costs().table(),
                                  .file = m_session->costs().facts().file},
                                 m_file->folder()));
  beginResult(*folder, std::make_shared<const Json>(m_session->document().json()));
  const plan::Experiment toRun = shownPlan(*m_session, *chosen);
  const int ranks = ui::ranksToAsk(toRun, m_session->runState().wantedRanks());
  // What was not shown is searched for here: the engine only runs what it is handed.
  m_startJob.start([this, folder = *folder, costs = *costs, table = m_session->costs().table(),
                    shown = toRun, ranks,
                    held = std::shared_ptr<const workspace::RunLock>(std::move(*lock))](
                       const std::atomic<bool>& canceled) {
    const auto goesOn = [&canceled] { return !canceled; };
    const auto found = std::make_shared<const Result<Json>>(
        search::resolve(shown, table.get(), goesOn).and_then(planToRun));
    return [this, folder, costs, held, found, ranks] {
      const Status written =
          found->and_then([this](const Json& plan) { return m_file->writePlan(plan); });
      const EngineFiles files{costs, m_file->plan()};
      const Status started =
          written ? m_engine.start(m_file->path(), folder, held, files, ranks) : written;
      if (!started) leaveNewRun();
      tellStart(started);
    };
  });
  return {};
}

void RunController::cancel() {
  if (m_engine.isRunning()) {
    m_session->runState().setPhase(ui::RunPhase::Canceling);
    m_engine.cancel();
  } else if (m_startJob.running()) {
    m_startJob.cancel();
    m_session->runState().setPhase(ui::RunPhase::Idle);
    leaveNewRun();
    Q_EMIT message(QObject::tr("Last run: canceled"));
  }
}

void RunController::leaveNewRun() {
  const std::filesystem::path folder = m_session->results().folder();
  leave();
  // The folder of a new run is still empty.
  if (std::error_code problem; !std::filesystem::remove(folder, problem)) open(folder);
}

void RunController::onEvent(const Json& event) {
  m_fold.apply(event);
  const std::string name = textAt(event, "event");
  if (name == "started" || name == "resumed") {
    m_mayRefuse = false;
    m_session->runFolders().tellChanged();
  }
  if (name == "progress") {
    updateProgress(event);
  } else if (name == "ranks") {
    m_session->runState().setRanks(ui::ranksFromEvent(event));
  } else if (name == "measurement") {
    m_traces.loadGrowing(textAt(event, "variant"));
  } else if (name == "variant_done") {
    m_traces.load(textAt(event, "variant"));
  }
  if (!m_publish.isActive()) m_publish.start();
}

void RunController::updateProgress(const Json& event) {
  ui::RunProgress progress;
  progress.variantId = ui::qstring(textAt(event, "variant"));
  progress.repeat = flagAt(event, "warmup") ? 0 : static_cast<int>(numberAt(event, "repeat"));
  progress.of = static_cast<int>(numberAt(event, "of"));
  if (const double seconds = numberAt(event, "eta_s", -1.0); seconds >= 0.0) {
    const double elapsed = static_cast<double>(m_elapsed.elapsed()) / 1e3;
    progress.secondsLeft = seconds;
    progress.fraction = elapsed / std::max(1e-3, elapsed + seconds);
  }
  if (textAt(event, "phase") == "gradients") {
    progress.checksGradients = true;
    progress.secondsLeft.reset();
  }
  m_progress = progress;
  if (!m_tellProgress.isActive()) m_tellProgress.start();
}

void RunController::publish() {
  m_session->results().set(std::make_shared<const record::RunResult>(m_fold.result()));
}

/// The run is not over: what is known of it stays on display.
void RunController::onLeft(const EngineOutcome& outcome) {
  const QString host = this->host();
  m_connection.end();
  m_session->runState().setPhase(ui::RunPhase::Idle);
  m_lastLeft.folder = ui::qstring(m_session->results().folder().string());
  m_lastLeft.problem = outcome.error ? startProblem(*outcome.error) : QString();
  publish();
  m_file.reset();
  m_mayRefuse = false;
  index();
  findLeft();
  Q_EMIT message(tr("The last run continues on %1").arg(host));
}

void RunController::onFinished(const EngineOutcome& outcome) {
  m_publish.stop();
  m_tellProgress.stop();
  if (outcome.isLeft) {
    onLeft(outcome);
    return;
  }
  record::RunResult result = outcome.result
                                 ? *outcome.result
                                 : withoutResult(ui::utf8(m_session->document().name()), outcome);
  if (result.reason.empty() && outcome.error) {
    result.reason = describe(*outcome.error);
    result.failure = failureOf(*outcome.error);
  }
  if (std::exchange(m_mayRefuse, false) && outcome.error) {
    // The run folder still has only its earlier end.
    m_session->runState().setProblem(startProblem(*outcome.error));
  }
  const QString text = outcomeText(result);
  for (const record::VariantResult& variant : result.variants) m_traces.load(variant.id);
  m_connection.end();
  m_session->runState().setPhase(ui::RunPhase::Idle);
  m_session->results().set(std::make_shared<const record::RunResult>(std::move(result)));
  m_file.reset();
  index();
  Q_EMIT message(text);
}

void RunController::index() {
  const std::filesystem::path folder = m_session->results().folder();
  m_session->runFolders().tellEnded(ui::qstring(folder.string()));
  m_indexing.start([this, folder] {
    // Ignore a failure: the index can be rebuilt from the folders.
    if (auto opened = workspace::RunIndex::open(workspace::workspaceRoot())) {
      (void)(*opened)->put(folder);
    }
    QMetaObject::invokeMethod(&m_session->runFolders(), &ui::RunFolders::tellChanged,
                              Qt::QueuedConnection);
  });
}

void RunController::leave() {
  stopOpening();
  m_traces.forget();
  m_session->results().start({}, nullptr);
}

void RunController::open(const std::filesystem::path& folder) {
  leave();
  m_session->results().start(folder, std::make_shared<const Json>(m_session->document().json()));
  m_opening = std::make_shared<record::OpenProgress>();
  m_openPoll.start();
  m_openJob.start([this, folder,
                   progress = m_opening](const std::atomic<bool>&) -> std::function<void()> {
    auto result = std::make_shared<Result<record::RunResult>>(record::openRun(folder, *progress));
    return [this, result] {
      endOpening();
      if (*result) {
        show(std::move(**result));
        return;
      }
      leave();
      Q_EMIT notOpened(result->error());
    };
  });
  publishOpening();
}

Status RunController::openAtOnce(const std::filesystem::path& folder) {
  STAGELANE_TRY(result, record::openRun(folder));
  leave();
  m_session->results().start(folder, std::make_shared<const Json>(m_session->document().json()));
  show(std::move(*result));
  return {};
}

void RunController::show(record::RunResult result) {
  const QString text = outcomeText(result);
  // Read the trace of the shown variant first.
  const std::string shown = ui::utf8(m_session->selection().variantId());
  for (const bool first : {true, false}) {
    for (const record::VariantResult& variant : result.variants) {
      if ((variant.id == shown) == first) m_traces.load(variant.id);
    }
  }
  m_session->results().set(std::make_shared<const record::RunResult>(std::move(result)));
  Q_EMIT message(text);
}

void RunController::publishOpening() {
  if (m_opening) {
    const QString name = ui::qstring(m_session->results().folder().filename().string());
    m_session->loading().setRun(
        ui::TraceLoading{name, m_opening->doneBytes, m_opening->totalBytes});
  }
}

void RunController::endOpening() {
  m_opening = nullptr;
  m_openPoll.stop();
  m_session->loading().setRun(std::nullopt);
}

void RunController::stopOpening() {
  if (m_opening) {
    m_opening->cancel = true;
    m_openJob.cancel();
    endOpening();
  }
}

}  // namespace stagelane::app
