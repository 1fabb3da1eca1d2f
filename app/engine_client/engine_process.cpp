#include "app/engine_client/engine_process.h"

#include <fcntl.h>
#include <unistd.h>

#include <QString>
#include <algorithm>
#include <cmath>
#include <exception>
#include <system_error>

#include "app/engine_client/event_members.h"
#include "engine/base/files.h"
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

QStringList ranksArguments(int ranks) {
  return ranks == kRanksNeeded ? QStringList() : QStringList{u"--ranks"_s, QString::number(ranks)};
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
  const EngineOutcome outcome{end.exitCode, end.error, {}};
  try {
    return closed(outcome, folder);
  } catch (const std::exception& problem) {
    const Error error{ErrorCode::EngineFailure, problem.what(), folder.string(),
                      "open the run on the Runs page"};
    return {static_cast<int>(error.code), error, {}};
  }
}

}  // namespace

EngineProcess::EngineProcess(QObject* parent) : QObject(parent) {
  m_closer.setMaxThreadCount(1);
  connect(&m_engine, &EngineChild::eventReceived, this, &EngineProcess::onEvent);
  connect(&m_engine, &EngineChild::ended, this, &EngineProcess::onEnded);
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
  QStringList arguments{u"run"_s, pathText(experiment), u"--out"_s, pathText(outFolder)};
  if (!files.costs.empty()) arguments << u"--costs"_s << pathText(files.costs);
  if (!files.plan.empty()) arguments << u"--plan"_s << pathText(files.plan);
  return launch(arguments + ranksArguments(ranks), outFolder, std::move(lock));
}

Status EngineProcess::resume(const fs::path& folder, std::shared_ptr<const workspace::RunLock> lock,
                             int ranks) {
  // Refused here, because a failed engine's error is appended to the run's events.
  STAGELANE_CHECK(record::requireNoLinks(record::RunFolder{folder}));
  const QStringList arguments{u"run"_s, u"--resume"_s, pathText(folder)};
  return launch(arguments + ranksArguments(ranks), folder, std::move(lock));
}

Status EngineProcess::launch(const QStringList& arguments, const fs::path& folder,
                             std::shared_ptr<const workspace::RunLock> lock) {
  if (isRunning()) {
    return fail(ErrorCode::EngineFailure, "a run is already in progress", m_folder.string(),
                "wait for it or cancel it");
  }
  m_folder = folder;
  m_lock = std::move(lock);
  m_longestS = 0.0;
  m_longestIsAction = false;
  EngineTask task;
  task.arguments = arguments;
  task.lockDescriptor = m_lock ? m_lock->descriptor() : -1;
  task.context = folder.string();
  task.hint = "Measurements are kept; see engine.log in that folder";
  const Status started = m_engine.start(task);
  if (!started) m_lock.reset();
  return started;
}

void EngineProcess::cancel() { m_engine.cancel(killDelayMs()); }

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
  if (m_engine.log().isEmpty() || !fs::exists(folder.events(), failed)) return;
  const int log = openToAppend(folder.log(), O_CREAT);
  if (log < 0) return;
  const std::string text = "--- standard error of the engine ---\n" + m_engine.log().toStdString();
  // The run has its error without this text.
  static_cast<void>(::write(log, text.data(), text.size()) < 0);
  ::close(log);
}

/// In another thread, because a long run's events take too long to read in the window's.
void EngineProcess::onEnded(const EngineEnd& end) {
  if (end.error) keepLog();
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
