#include "app/engine_process.h"

#include <fcntl.h>
#include <sys/prctl.h>

#include <QProcessEnvironment>
#include <QString>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <system_error>

namespace stagelane::app {
namespace {

namespace fs = std::filesystem;

constexpr int kLogBytes = 1 << 20;
constexpr double kGraceS = 5.0;
constexpr int kLastWaitMs = 2000;
// Before anything was measured nobody knows how long an action takes.
constexpr double kUnknownActionS = 60.0;
constexpr double kLongestWaitS = 3600.0;
constexpr const char* kHowToAddTheEngine =
    "build it with `./dev build`, or set STAGELANE_ENGINE to the stagelane-engine program";

QString toQString(const fs::path& path) { return QString::fromStdString(path.string()); }

// Runs in the child between fork and exec: system calls only.
void prepareChild(int lockDescriptor) {
  // A killed command line must not leave an engine behind that nobody reads.
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (lockDescriptor >= 0) {
    ::fcntl(lockDescriptor, F_SETFD, 0);
  }
}

}  // namespace

void endWithParent(QProcess& process, int lockDescriptor) {
  process.setChildProcessModifier([lockDescriptor] { prepareChild(lockDescriptor); });
}

namespace {

std::string lastLine(const QByteArray& log) {
  const QByteArray text = log.trimmed();
  return text.mid(text.lastIndexOf('\n') + 1).toStdString();
}

}  // namespace

Result<fs::path> findEngine() {
  std::error_code failed;
  if (const char* named = std::getenv("STAGELANE_ENGINE"); named != nullptr && *named != '\0') {
    if (fs::is_regular_file(named, failed)) {
      return fs::path(named);
    }
    return fail(ErrorCode::EngineFailure, "there is no engine where STAGELANE_ENGINE says", named,
                kHowToAddTheEngine);
  }
  const fs::path own = fs::read_symlink("/proc/self/exe", failed);
  const fs::path beside = own.parent_path() / "stagelane-engine";
  if (fs::is_regular_file(beside, failed)) {
    return beside;
  }
  return fail(ErrorCode::EngineFailure,
              "stagelane-engine, the program that trains, is not installed", beside.string(),
              kHowToAddTheEngine);
}

EngineProcess::EngineProcess(QObject* parent) : QObject(parent) {
  m_killTimer.setSingleShot(true);
  m_killTimer.setTimerType(Qt::PreciseTimer);  // a coarse one may be early
  connect(&m_killTimer, &QTimer::timeout, &m_process, &QProcess::kill);
  connect(&m_process, &QProcess::readyReadStandardOutput, this, &EngineProcess::readLines);
  connect(&m_process, &QProcess::readyReadStandardError, this, &EngineProcess::readLog);
  connect(&m_process, &QProcess::finished, this, &EngineProcess::ended);
  connect(&m_process, &QProcess::errorOccurred, this, &EngineProcess::startFailed);
}

EngineProcess::~EngineProcess() {
  m_process.disconnect(this);
  if (!isRunning()) {
    return;
  }
  // Whoever lets go of a run ends it on purpose: it is canceled, not failed.
  m_process.terminate();
  if (!m_process.waitForFinished(kLastWaitMs)) {
    m_process.kill();
    m_process.waitForFinished(-1);
  }
  std::error_code failed;
  if (fs::exists(record::RunFolder{m_folder}.events(), failed)) {
    static_cast<void>(record::closeAsCanceled(m_folder));
  }
}

Status EngineProcess::start(const fs::path& experiment, const fs::path& outFolder,
                            std::shared_ptr<const workspace::RunLock> lock, const fs::path& costs) {
  QStringList arguments{QStringLiteral("run"), toQString(experiment), QStringLiteral("--out"),
                        toQString(outFolder)};
  if (!costs.empty()) {
    arguments << QStringLiteral("--costs") << toQString(costs);
  }
  return launch(arguments, outFolder, std::move(lock));
}

Status EngineProcess::resume(const fs::path& folder,
                             std::shared_ptr<const workspace::RunLock> lock) {
  return launch({QStringLiteral("run"), QStringLiteral("--resume"), toQString(folder)}, folder,
                std::move(lock));
}

Status EngineProcess::launch(const QStringList& arguments, const fs::path& folder,
                             std::shared_ptr<const workspace::RunLock> lock) {
  if (isRunning()) {
    return fail(ErrorCode::EngineFailure, "a run is under way already", m_folder.string(),
                "wait for it or cancel it");
  }
  const auto engine = findEngine();
  if (!engine) {
    return tl::make_unexpected(engine.error());
  }
  m_folder = folder;
  m_lock = std::move(lock);
  m_partialLine.clear();
  m_log.clear();
  m_reported.reset();
  m_cancelAsked = false;
  m_longestS = 0.0;
  m_longestIsAction = false;

  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  if (m_lock) {
    environment.insert(QStringLiteral("STAGELANE_RUN_LOCK"), QStringLiteral("held"));
  }
  m_process.setProcessEnvironment(environment);
  endWithParent(m_process, m_lock ? m_lock->descriptor() : -1);
  m_process.setProgram(toQString(*engine));
  m_process.setArguments(arguments);
  m_process.start(QIODevice::ReadOnly);
  return {};
}

void EngineProcess::cancel() {
  if (!isRunning()) {
    return;
  }
  if (m_cancelAsked) {
    m_process.kill();
    return;
  }
  m_cancelAsked = true;
  m_process.terminate();
  m_killTimer.start(killDelayMs());
}

int EngineProcess::killDelayMs() const {
  const double actionS = m_longestS > 0.0 ? m_longestS : kUnknownActionS;
  return static_cast<int>(std::lround(1000.0 * std::min(kGraceS + actionS, kLongestWaitS)));
}

void EngineProcess::readLines() {
  m_partialLine += m_process.readAllStandardOutput();
  qsizetype begin = 0;
  for (qsizetype end = m_partialLine.indexOf('\n'); end >= 0;
       end = m_partialLine.indexOf('\n', begin)) {
    handleLine(m_partialLine.mid(begin, end - begin));
    begin = end + 1;
  }
  m_partialLine.remove(0, begin);
}

void EngineProcess::handleLine(const QByteArray& line) {
  const auto event = parseJson({line.constData(), static_cast<std::size_t>(line.size())}, "engine");
  if (!event || !event->is_object() || !event->contains("event")) {
    m_log += line + '\n';  // a library that prints to standard output is no event
    return;
  }
  const Json& name = (*event)["event"];
  if (name == "error") {
    m_reported = record::errorFromEvent(*event);
  }
  const auto longest = event->find("longest_action_s");
  if (longest != event->end() && longest->is_number()) {
    m_longestS =
        m_longestIsAction ? std::max(m_longestS, longest->get<double>()) : longest->get<double>();
    m_longestIsAction = true;
  }
  const auto seconds = event->find("seconds");
  if (!m_longestIsAction && name == "measurement" && seconds != event->end() &&
      seconds->is_number()) {
    m_longestS = std::max(m_longestS, seconds->get<double>());
  }
  Q_EMIT eventReceived(*event);
}

void EngineProcess::readLog() {
  m_log += m_process.readAllStandardError();
  if (m_log.size() > kLogBytes) {
    m_log.remove(0, m_log.size() - kLogBytes);
  }
}

void EngineProcess::startFailed(QProcess::ProcessError problem) {
  if (problem != QProcess::FailedToStart) {
    return;  // `finished` follows
  }
  m_lock.reset();
  EngineOutcome outcome;
  outcome.exitCode = static_cast<int>(ErrorCode::EngineFailure);
  outcome.error = Error{ErrorCode::EngineFailure,
                        "the engine cannot be started: " + m_process.errorString().toStdString(),
                        m_process.program().toStdString(), kHowToAddTheEngine};
  Q_EMIT finished(outcome);
}

Error EngineProcess::errorOf(int code, QProcess::ExitStatus status) const {
  const std::string logHint =
      "what was measured before is kept; the log is " + record::RunFolder{m_folder}.log().string();
  if (status == QProcess::CrashExit) {
    // QProcess gives the signal's number as the exit code.
    const char* name = ::sigabbrev_np(code);
    std::string message = "the engine was killed by signal " + std::to_string(code) +
                          (name == nullptr ? "" : " (SIG" + std::string(name) + ")");
    if (code == SIGKILL && !m_cancelAsked) {
      message += ", by hand or because the machine ran out of memory";
    }
    return {ErrorCode::EngineFailure, message, m_folder.string(), logHint};
  }
  if (m_reported) {
    return *m_reported;
  }
  const bool known = code >= static_cast<int>(ErrorCode::Usage) &&
                     code <= static_cast<int>(ErrorCode::CannotWrite);
  const std::string said = lastLine(m_log);
  return {
      known ? static_cast<ErrorCode>(code) : ErrorCode::EngineFailure,
      "the engine ended with exit code " + std::to_string(code) + (said.empty() ? "" : ": " + said),
      m_folder.string(), logHint};
}

// The engine writes engine.log itself; what only reached its standard error (the last words of a
// library that aborts) is added, so that a crash can be understood from the folder alone.
void EngineProcess::keepLog() const {
  const record::RunFolder folder{m_folder};
  std::error_code failed;
  if (m_log.isEmpty() || !fs::exists(folder.events(), failed)) {
    return;
  }
  std::ofstream log(folder.log(), std::ios::app | std::ios::binary);
  log << "--- standard error of the engine ---\n";
  log.write(m_log.constData(), static_cast<std::streamsize>(m_log.size()));
}

void EngineProcess::ended(int code, QProcess::ExitStatus status) {
  m_killTimer.stop();
  readLines();
  readLog();
  EngineOutcome outcome;
  const bool crashed = status == QProcess::CrashExit;
  // Ctrl-C reaches the engine too, perhaps before it listens for it.
  const bool interrupted = crashed && (code == SIGINT || code == SIGTERM);
  const bool canceled = code == kExitCanceled || interrupted || (crashed && m_cancelAsked);
  if (canceled) {
    outcome.exitCode = kExitCanceled;
  } else if (crashed || code != 0) {
    outcome.error = errorOf(code, status);
    outcome.exitCode = static_cast<int>(outcome.error->code);
    keepLog();
  }

  std::error_code failed;
  const bool began = fs::exists(record::RunFolder{m_folder}.events(), failed);
  if (began) {
    auto closed = canceled        ? record::closeAsCanceled(m_folder)
                  : outcome.error ? record::closeAsFailed(m_folder, *outcome.error)
                                  : record::openRun(m_folder);
    if (!closed) {
      closed = record::openRun(m_folder);  // a full disk: rebuilt without its last event
    }
    if (closed) {
      outcome.result = *closed;
    }
  } else if (!canceled && !outcome.error) {
    outcome.error = Error{ErrorCode::EngineFailure, "the engine ended without a result",
                          m_folder.string(), "Check that STAGELANE_ENGINE names stagelane-engine"};
    outcome.exitCode = static_cast<int>(outcome.error->code);
  }
  m_lock.reset();
  Q_EMIT finished(outcome);
}

}  // namespace stagelane::app
