#include "app/calibration_process.h"

#include <csignal>
#include <string>

#include <QString>
#include <QStringList>

#include "app/engine_process.h"
#include "engine/record/run_record.h"

namespace stagelane::app {
namespace {

QString toQString(const std::filesystem::path& path) {
  return QString::fromStdString(path.string());
}

}  // namespace

CalibrationProcess::CalibrationProcess(QObject* parent) : QObject(parent) {
  connect(&m_process, &QProcess::readyReadStandardOutput, this, &CalibrationProcess::readLines);
  connect(&m_process, &QProcess::finished, this, &CalibrationProcess::ended);
  connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError problem) {
    if (problem == QProcess::FailedToStart) {
      CalibrationOutcome outcome;
      outcome.error =
          Error{ErrorCode::EngineFailure,
                "the engine cannot be started: " + m_process.errorString().toStdString(),
                m_process.program().toStdString(), ""};
      outcome.exitCode = static_cast<int>(ErrorCode::EngineFailure);
      Q_EMIT finished(outcome);
    }
  });
}

CalibrationProcess::~CalibrationProcess() {
  m_process.disconnect(this);
  if (isRunning()) {
    m_process.kill();
    m_process.waitForFinished(-1);
  }
}

Status CalibrationProcess::start(const CalibrationRequest& request) {
  if (isRunning()) {
    return fail(ErrorCode::EngineFailure, "a calibration is under way already", "",
                "wait for it or cancel it");
  }
  const auto engine = findEngine();
  if (!engine) {
    return tl::make_unexpected(engine.error());
  }
  m_out = request.out;
  m_partialLine.clear();
  m_reported.reset();
  m_cancelAsked = false;
  QStringList arguments{QStringLiteral("calibrate"), toQString(request.experiment),
                        QStringLiteral("--out"),     toQString(request.out),
                        QStringLiteral("--seconds"), QString::number(request.seconds)};
  if (request.onlyOccurring) {
    arguments << QStringLiteral("--only-occurring");
  }
  // Its errors come as events too; what a library prints is no result.
  endWithParent(m_process, request.lockDescriptor);
  m_process.setStandardErrorFile(QProcess::nullDevice());
  m_process.start(toQString(*engine), arguments, QIODevice::ReadOnly);
  return {};
}

void CalibrationProcess::cancel() {
  if (isRunning() && m_cancelAsked) {
    m_process.kill();
  } else if (isRunning()) {
    m_cancelAsked = true;
    m_process.terminate();
  }
}

void CalibrationProcess::readLines() {
  m_partialLine += m_process.readAllStandardOutput();
  for (qsizetype end = m_partialLine.indexOf('\n'); end >= 0; end = m_partialLine.indexOf('\n')) {
    const QByteArray line = m_partialLine.left(end);
    m_partialLine.remove(0, end + 1);
    handleLine(line);
  }
}

void CalibrationProcess::handleLine(const QByteArray& line) {
  const auto event = parseJson({line.constData(), static_cast<std::size_t>(line.size())}, "engine");
  if (!event || !event->is_object() || !event->contains("event")) {
    return;  // a library that prints to standard output is no event
  }
  if ((*event)["event"] == "error") {
    m_reported = record::errorFromEvent(*event);
  }
  Q_EMIT eventReceived(*event);
}

void CalibrationProcess::ended(int code, QProcess::ExitStatus status) {
  readLines();
  CalibrationOutcome outcome;
  const bool crashed = status == QProcess::CrashExit;
  // Ctrl-C reaches the engine too, perhaps before it listens for it.
  const bool interrupted = crashed && (m_cancelAsked || code == SIGINT || code == SIGTERM);
  if (code == kExitCanceled || interrupted) {
    outcome.exitCode = kExitCanceled;
  } else if (crashed || code != 0) {
    const std::string how = crashed ? "was killed by signal " : "ended with exit code ";
    outcome.error = m_reported.value_or(
        Error{ErrorCode::EngineFailure, "the engine " + how + std::to_string(code), "",
              "run `stagelane-engine calibrate` by hand to see what it says"});
    outcome.exitCode = static_cast<int>(outcome.error->code);
  } else if (auto table = predict::readCostTable(m_out.string()); table) {
    // Asked to stop when all was measured already: the table is kept, and the caller stops.
    outcome.table = std::move(*table);
    outcome.exitCode = m_cancelAsked ? kExitCanceled : 0;
  } else {
    outcome.error = table.error();
    outcome.exitCode = static_cast<int>(table.error().code);
  }
  Q_EMIT finished(outcome);
}

}  // namespace stagelane::app
