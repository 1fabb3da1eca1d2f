#include "app/engine_client/calibration_controller.h"

#include <QMetaObject>
#include <optional>

#include "app/engine_client/event_members.h"
#include "app/engine_client/experiment_source.h"
#include "engine/base/json.h"
#include "engine/workspace/calibration_store.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/document.h"
#include "ui/session/prediction/calibration.h"
#include "ui/session/run/run_state.h"

namespace stagelane::app {
CalibrationController::CalibrationController(ui::Session* session, QObject* parent)
    : QObject(parent), m_session(session) {
  m_pool.setMaxThreadCount(1);
  ui::Calibration& calibration = session->calibration();
  connect(&calibration, &ui::Calibration::requested, this, &CalibrationController::start);
  connect(&calibration, &ui::Calibration::cancelRequested, this, &CalibrationController::cancel);
  connect(&m_process, &CalibrationProcess::eventReceived, this, &CalibrationController::onEvent);
  connect(&m_process, &CalibrationProcess::finished, this, &CalibrationController::onFinished);
}

CalibrationController::~CalibrationController() { m_pool.waitForDone(); }

void CalibrationController::start() {
  if (running() || m_session->runState().phase() != ui::RunPhase::Idle) return;
  const Status begun = begin();
  if (!begun) end(ui::errorText(begun.error()));
}

Status CalibrationController::begin() {
  m_experiment = m_session->document().experiment();
  if (!m_experiment) return ui::refused(QObject::tr("the experiment cannot be read"));
  STAGELANE_TRY(lock, workspace::RunLock::take(workspace::workspaceRoot(),
                                               "calibrating " + m_experiment->name));
  m_lock = std::move(*lock);
  m_file = std::make_unique<EngineInput>();
  const ui::ExperimentDocument& document = m_session->document();
  STAGELANE_CHECK(
      m_file->write(withAbsolutePaths(document.json(), ui::utf8(document.baseFolder()))));
  m_session->calibration().setProblem({});
  m_session->calibration().setPhase(ui::CalibrationPhase::Running);
  CalibrationRequest request;
  request.experiment = m_file->path();
  request.out = m_file->folder() / "costs.json";
  request.seconds = ui::Calibration::kSeconds;
  request.lockDescriptor = m_lock->descriptor();
  return m_process.start(request);
}

void CalibrationController::cancel() {
  if (m_process.isRunning()) {
    m_session->calibration().setPhase(ui::CalibrationPhase::Canceling);
    m_process.cancel();
  }
}

void CalibrationController::onEvent(const Json& event) {
  if (textAt(event, "event") != "calibrating") return;
  const double done = numberAt(event, "done");
  const double of = numberAt(event, "of");
  const double seconds = numberAt(event, "t_ns") * 1e-9;
  std::optional<double> left;
  if (done > 0.0 && seconds > 0.0) left = seconds * (of - done) / done;
  m_session->calibration().setProgress(of > 0.0 ? done / of : 0.0, left);
}

void CalibrationController::onFinished(const CalibrationOutcome& outcome) {
  m_lock.reset();
  m_file.reset();
  if (outcome.error) {
    end(ui::errorText(*outcome.error));
  } else if (!outcome.table) {
    end({});  // canceled
  } else {
    store(*outcome.table);
  }
}

void CalibrationController::store(const predict::CostTable& table) {
  m_pool.start([this, experiment = m_experiment, table] {
    const auto stored = workspace::storeCalibration(workspace::workspaceRoot(), *experiment, table);
    const QString problem = stored ? QString() : ui::errorText(stored.error());
    QMetaObject::invokeMethod(
        this,
        [this, problem] {
          end(problem);
          if (problem.isEmpty()) Q_EMIT measured();
        },
        Qt::QueuedConnection);
  });
}

void CalibrationController::end(const QString& problem) {
  m_lock.reset();
  m_file.reset();
  m_experiment.reset();
  m_session->calibration().setProblem(problem);
  m_session->calibration().setPhase(ui::CalibrationPhase::Idle);
}

}  // namespace stagelane::app
