#include "app/engine_client/calibration_process.h"

#include <QString>

#include "ui/kit/text/formatting.h"

namespace stagelane::app {
namespace {

/// The engine checks for the signal between measurements, which take far less.
constexpr int kKillAfterMs = 20'000;

}  // namespace

CalibrationProcess::CalibrationProcess(QObject* parent) : QObject(parent) {
  connect(&m_engine, &EngineChild::eventReceived, this, &CalibrationProcess::eventReceived);
  connect(&m_engine, &EngineChild::ended, this, &CalibrationProcess::onEnded);
}

Status CalibrationProcess::start(const CalibrationRequest& request) {
  if (isRunning()) {
    return fail(ErrorCode::EngineFailure, "a calibration is already in progress", "",
                "wait for it or cancel it");
  }
  m_out = request.out;
  EngineTask task;
  task.arguments = {u"calibrate"_s, ui::qstring(request.experiment.string()),
                    u"--out"_s,     ui::qstring(request.out.string()),
                    u"--seconds"_s, QString::number(request.seconds)};
  if (request.onlyOccurring) task.arguments << u"--only-occurring"_s;
  if (request.ranks != kRanksNeeded) {
    task.arguments << u"--ranks"_s << QString::number(request.ranks);
  }
  task.lockDescriptor = request.lockDescriptor;
  task.hint = "run `stagelane-engine calibrate` in a terminal to see its output";
  return m_engine.start(task);
}

void CalibrationProcess::cancel() { m_engine.cancel(kKillAfterMs); }

void CalibrationProcess::onEnded(const EngineEnd& end) {
  CalibrationOutcome outcome;
  outcome.exitCode = end.exitCode;
  outcome.error = end.error;
  if (end.exitCode == 0) {
    if (auto table = predict::readCostTable(m_out.string()); table) {
      // Canceled after the last measurement: the table is kept, and the caller stops.
      outcome.table = std::move(*table);
      outcome.exitCode = m_engine.cancelAsked() ? kExitCanceled : 0;
    } else {
      outcome.error = table.error();
      outcome.exitCode = static_cast<int>(table.error().code);
    }
  }
  Q_EMIT finished(outcome);
}

}  // namespace stagelane::app
