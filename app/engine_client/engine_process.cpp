#include "app/engine_client/engine_process.h"

#include <fcntl.h>
#include <unistd.h>

#include <QString>
#include <algorithm>
#include <cmath>
#include <exception>
#include <system_error>

#include "app/engine_client/event_members.h"
#include "app/engine_client/remote/hosts.h"
#include "engine/base/files.h"
#include "engine/plan/hosts.h"
#include "engine/record/remote_run.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::app {
namespace {

namespace fs = std::filesystem;

constexpr double kGraceS = 5.0;
constexpr int kLastWaitMs = 2000;
// The longest action is unknown before the first measurement.
constexpr double kUnknownActionS = 60.0;
constexpr double kLongestWaitS = 3600.0;

QString pathText(const fs::path& path) { return ui::qstring(path.string()); }

void addRanks(int ranks, QStringList& arguments) {
  if (ranks != kRanksNeeded) arguments << u"--ranks"_s << QString::number(ranks);
}

/// Closes the run folder.
EngineOutcome closed(EngineOutcome outcome, const fs::path& folder) {
  const bool canceled = outcome.exitCode == kExitCanceled;
  std::error_code failed;
  if (!fs::exists(record::RunFolder{folder}.events(), failed)) {
    if (!canceled && !outcome.error) {
      outcome.error = Error{ErrorCode::EngineFailure, "the engine ended without a result",
                            folder.string(), "check that STAGELANE_ENGINE names stagelane-engine"};
      outcome.exitCode = static_cast<int>(outcome.error->code);
    }
    return outcome;
  }
  auto run = canceled        ? record::closeAsCanceled(folder)
             : outcome.error ? record::closeAsFailed(folder, *outcome.error)
                             : record::openRun(folder, record::Rewrite::Always);
  if (!run) {
    // Disk full: rebuilds the result without the last event.
    run = record::openRun(folder, record::Rewrite::Always);
  }
  if (run) outcome.result = *run;
  return outcome;
}

/// The same in a thread, which exceptions must not leave.
EngineOutcome outcomeOf(const EngineEnd& end, const fs::path& folder) {
  const EngineOutcome outcome{end.exitCode, end.error, {}, end.isLeft};
  try {
    return end.isLeft ? outcome : closed(outcome, folder);
  } catch (const std::exception& problem) {
    const Error error{ErrorCode::EngineFailure, problem.what(), folder.string(),
                      "open the run on the Runs page"};
    return {static_cast<int>(error.code), error, {}, end.isLeft};
  }
}

/// The host that the run's devices are on; "" for this machine, whose engine reports a file that
/// cannot be read.
Result<std::string> hostOfFile(const fs::path& experiment) {
  const auto document = readJsonFile(experiment.string());
  return document ? plan::hostOfDocument(*document) : Result<std::string>("");
}

}  // namespace

EngineProcess::EngineProcess(QObject* parent) : QObject(parent) {
  m_closer.setMaxThreadCount(1);
  connect(&m_engine, &EngineChild::eventReceived, this, &EngineProcess::onEvent);
  connect(&m_engine, &EngineChild::ended, this, &EngineProcess::onEnded);
  connect(&m_remote, &RemoteEngine::eventReceived, this, &EngineProcess::onEvent);
  connect(&m_remote, &RemoteEngine::ended, this, &EngineProcess::onEnded);
  connect(&m_remote, &RemoteEngine::connectionChanged, this, &EngineProcess::connectionChanged);
}

EngineProcess::~EngineProcess() {
  m_closer.waitForDone();
  if (!m_engine.isRunning()) return;
  // Destroying a running process cancels the run; it did not fail.
  m_engine.stop(kLastWaitMs);
  std::error_code failed;
  if (fs::exists(record::RunFolder{m_folder}.events(), failed)) {
    static_cast<void>(record::closeAsCanceled(m_folder));
  }
}

Status EngineProcess::start(const fs::path& experiment, const fs::path& outFolder,
                            std::shared_ptr<const workspace::RunLock> lock,
                            const EngineFiles& files, int ranks) {
  STAGELANE_TRY(host, hostOfFile(experiment));
  if (!host->empty()) {
    const std::string engine = hostNamed(workspace::workspaceRoot(), *host).engine;
    return launchRemote({*host, engine, experiment, files.plan, files.costs, outFolder, ranks},
                        std::move(lock));
  }
  QStringList arguments{u"run"_s, pathText(experiment), u"--out"_s, pathText(outFolder)};
  if (!files.costs.empty()) arguments << u"--costs"_s << pathText(files.costs);
  if (!files.plan.empty()) arguments << u"--plan"_s << pathText(files.plan);
  addRanks(ranks, arguments);
  return launch(arguments, outFolder, std::move(lock));
}

Status EngineProcess::resume(const fs::path& folder, std::shared_ptr<const workspace::RunLock> lock,
                             int ranks) {
  // Refused here, because a failed engine's error is appended to the run's events.
  STAGELANE_CHECK(record::requireNoLinks(record::RunFolder{folder}));
  if (record::isRemoteRunOpen(folder)) return attach(folder, std::move(lock));
  STAGELANE_TRY(host, hostOfFile(record::RunFolder{folder}.experiment()));
  if (!host->empty()) {
    const std::string engine = hostNamed(workspace::workspaceRoot(), *host).engine;
    return launchRemote({*host, engine, {}, {}, {}, folder, ranks}, std::move(lock));
  }
  QStringList arguments{u"run"_s, u"--resume"_s, pathText(folder)};
  addRanks(ranks, arguments);
  return launch(arguments, folder, std::move(lock));
}

Status EngineProcess::attach(const fs::path& folder,
                             std::shared_ptr<const workspace::RunLock> lock) {
  STAGELANE_CHECK(prepare(folder, std::move(lock)));
  m_isRemote = true;
  const Status attached = m_remote.attach(folder);
  if (!attached) m_lock.reset();
  return attached;
}

void EngineProcess::leave() { m_remote.leave(); }

Status EngineProcess::prepare(const fs::path& folder,
                              std::shared_ptr<const workspace::RunLock> lock) {
  if (isRunning()) {
    return fail(ErrorCode::EngineFailure, "a run is already in progress", m_folder.string(),
                "wait for it or cancel it");
  }
  m_folder = folder;
  m_lock = std::move(lock);
  m_isRemote = false;
  m_longestS = 0.0;
  m_longestIsAction = false;
  return {};
}

Status EngineProcess::launchRemote(const RemoteTask& task,
                                   std::shared_ptr<const workspace::RunLock> lock) {
  STAGELANE_CHECK(prepare(task.folder, std::move(lock)));
  m_isRemote = true;
  const Status started = m_remote.start(task);
  if (!started) m_lock.reset();
  return started;
}

Status EngineProcess::launch(const QStringList& arguments, const fs::path& folder,
                             std::shared_ptr<const workspace::RunLock> lock) {
  STAGELANE_CHECK(prepare(folder, std::move(lock)));
  EngineTask task;
  task.arguments = arguments;
  task.lockDescriptor = m_lock ? m_lock->descriptor() : -1;
  task.context = folder.string();
  task.hint = "Measurements are kept; see engine.log in that folder";
  const Status started = m_engine.start(task);
  if (!started) m_lock.reset();
  return started;
}

void EngineProcess::cancel() {
  m_engine.cancel(killDelayMs());
  m_remote.cancel(killDelayMs());
}

int EngineProcess::killDelayMs() const {
  const double actionS = m_longestS > 0.0 ? m_longestS : kUnknownActionS;
  return static_cast<int>(std::lround(1000.0 * std::min(kGraceS + actionS, kLongestWaitS)));
}

void EngineProcess::onEvent(const Json& event) {
  if (const double action = numberAt(event, "longest_action_s", -1.0); action >= 0.0) {
    m_longestS = m_longestIsAction ? std::max(m_longestS, action) : action;
    m_longestIsAction = true;
  }
  if (!m_longestIsAction && textAt(event, "event") == "measurement") {
    m_longestS = std::max(m_longestS, numberAt(event, "seconds"));
  }
  Q_EMIT eventReceived(event);
}

// Add output that reached only standard error, such as a library's message before an abort, so that
// the folder is enough to diagnose a crash.
void EngineProcess::keepLog() const {
  const record::RunFolder folder{m_folder};
  std::error_code failed;
  const QByteArray& said = m_isRemote ? m_remote.log() : m_engine.log();
  if (said.isEmpty() || !fs::exists(folder.events(), failed)) return;
  const int log = openToAppend(folder.log(), O_CREAT);
  if (log < 0) return;
  const std::string text = "--- standard error of the engine ---\n" + said.toStdString();
  // The run has its error without this text.
  static_cast<void>(::write(log, text.data(), text.size()) < 0);
  ::close(log);
}

/// In another thread, because a long run's events take too long to read in the window's.
void EngineProcess::onEnded(const EngineEnd& end) {
  if (end.error && !end.isLeft) keepLog();
  m_closing = true;
  m_closer.start([this, end, folder = m_folder] {
    const EngineOutcome outcome = outcomeOf(end, folder);
    QMetaObject::invokeMethod(
        this,
        [this, outcome] {
          m_closing = false;
          m_lock.reset();
          Q_EMIT finished(outcome);
        },
        Qt::QueuedConnection);
  });
}

}  // namespace stagelane::app
