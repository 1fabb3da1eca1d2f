#include "app/engine_client/engine_child.h"

#include <fcntl.h>
#include <sys/prctl.h>

#include <QProcessEnvironment>
#include <csignal>
#include <cstdlib>
#include <system_error>

#include "engine/record/run_record.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::app {
namespace {

namespace fs = std::filesystem;

constexpr qsizetype kLogBytes = 1 << 20;
constexpr const char* kHowToAddTheEngine =
    "build it with `./dev build`, or set STAGELANE_ENGINE to the stagelane-engine program";

// Runs in the child between fork and exec: system calls only.
void prepareChild(int lockDescriptor) {
  // If this process is killed, the engine must not keep running.
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (lockDescriptor >= 0) ::fcntl(lockDescriptor, F_SETFD, 0);
}

}  // namespace

Result<fs::path> findEngine() {
  std::error_code failed;
  if (const char* named = std::getenv("STAGELANE_ENGINE"); named != nullptr && *named != '\0') {
    if (fs::is_regular_file(named, failed)) return fs::path(named);
    return fail(ErrorCode::EngineFailure, "STAGELANE_ENGINE does not name a program", named,
                kHowToAddTheEngine);
  }
  const fs::path own = fs::read_symlink("/proc/self/exe", failed);
  const fs::path beside = own.parent_path() / "stagelane-engine";
  if (fs::is_regular_file(beside, failed)) return beside;
  return fail(ErrorCode::EngineFailure, "stagelane-engine is not installed", beside.string(),
              kHowToAddTheEngine);
}

EngineChild::EngineChild(QObject* parent) : QObject(parent) {
  m_killTimer.setSingleShot(true);
  m_killTimer.setTimerType(Qt::PreciseTimer);  // a coarse timer may fire early
  connect(&m_killTimer, &QTimer::timeout, &m_process, &QProcess::kill);
  connect(&m_process, &QProcess::readyReadStandardOutput, this, &EngineChild::readLines);
  connect(&m_process, &QProcess::readyReadStandardError, this,
          [this] { addToLog(m_process.readAllStandardError()); });
  connect(&m_process, &QProcess::finished, this, &EngineChild::onFinished);
  connect(&m_process, &QProcess::errorOccurred, this, &EngineChild::startFailed);
}

EngineChild::~EngineChild() { stop(0); }

Status EngineChild::start(const EngineTask& task) {
  STAGELANE_TRY(engine, findEngine());
  m_task = task;
  m_partialLine.clear();
  m_log.clear();
  m_reported.reset();
  m_cancelAsked = false;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  if (task.lockDescriptor >= 0) environment.insert(u"STAGELANE_RUN_LOCK"_s, u"held"_s);
  m_process.setProcessEnvironment(environment);
  m_process.setChildProcessModifier(
      [lockDescriptor = task.lockDescriptor] { prepareChild(lockDescriptor); });
  m_process.setProgram(ui::qstring(engine->string()));
  m_process.setArguments(task.arguments);
  m_process.start(QIODevice::ReadOnly);
  return {};
}

void EngineChild::cancel(int killAfterMs) {
  if (!isRunning()) return;
  if (m_cancelAsked) {
    m_process.kill();
    return;
  }
  m_cancelAsked = true;
  m_process.terminate();
  m_killTimer.start(killAfterMs);
}

void EngineChild::stop(int patienceMs) {
  m_process.disconnect(this);
  if (!isRunning()) return;
  m_process.terminate();
  if (patienceMs == 0 || !m_process.waitForFinished(patienceMs)) {
    m_process.kill();
    m_process.waitForFinished(-1);
  }
}

void EngineChild::readLines() {
  m_partialLine += m_process.readAllStandardOutput();
  qsizetype begin = 0;
  for (qsizetype end = m_partialLine.indexOf('\n'); end >= 0;
       end = m_partialLine.indexOf('\n', begin)) {
    handleLine(m_partialLine.mid(begin, end - begin));
    begin = end + 1;
  }
  m_partialLine.remove(0, begin);
}

void EngineChild::handleLine(const QByteArray& line) {
  const auto event = parseJson({line.constData(), static_cast<std::size_t>(line.size())}, "engine");
  if (!event || !event->is_object() || !event->contains("event")) {
    addToLog(line + '\n');  // printed by a library: not an event
    return;
  }
  if ((*event)["event"] == "error") m_reported = record::errorFromEvent(*event);
  Q_EMIT eventReceived(*event);
}

void EngineChild::addToLog(const QByteArray& text) {
  m_log += text;
  if (m_log.size() > kLogBytes) m_log.remove(0, m_log.size() - kLogBytes);
}

void EngineChild::startFailed(QProcess::ProcessError problem) {
  if (problem != QProcess::FailedToStart) {
    return;  // `finished` follows
  }
  EngineEnd end;
  end.exitCode = static_cast<int>(ErrorCode::EngineFailure);
  end.error = Error{ErrorCode::EngineFailure,
                    "cannot start the engine: " + m_process.errorString().toStdString(),
                    m_process.program().toStdString(), kHowToAddTheEngine};
  Q_EMIT ended(end);
}

void EngineChild::onFinished(int code, QProcess::ExitStatus status) {
  m_killTimer.stop();
  readLines();
  addToLog(m_process.readAllStandardError());
  // QProcess returns the signal number as the exit code.
  const bool crashed = status == QProcess::CrashExit;
  Q_EMIT ended(engineEnd({crashed ? 0 : code, crashed ? code : 0, m_cancelAsked, m_reported, m_log,
                          m_task.context, m_task.hint}));
}

}  // namespace stagelane::app
