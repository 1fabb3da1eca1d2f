#pragma once

/// Measures costs for the window: runs the calibration that the session requests in an engine
/// process, forwards its progress, cancels it, and stores its table. Never blocks. CostLookup uses
/// the stored table.

#include <QObject>
#include <QThreadPool>
#include <memory>

#include "app/engine_client/calibration_process.h"
#include "app/engine_client/engine_input.h"
#include "engine/base/json.h"
#include "engine/plan/experiment.h"
#include "engine/workspace/workspace.h"
#include "ui/session/prediction/calibration.h"
#include "ui/session/session.h"

namespace stagelane::app {

class CalibrationController final : public QObject {
  Q_OBJECT

 public:
  explicit CalibrationController(ui::Session* session, QObject* parent = nullptr);
  ~CalibrationController() override;

  [[nodiscard]] bool running() const { return m_session->calibration().running(); }

 Q_SIGNALS:
  /// A table was stored.
  void measured();

 private:
  void start();
  [[nodiscard]] Status begin();
  void cancel();
  void onEvent(const Json& event);
  void onFinished(const CalibrationOutcome& outcome);
  void store(const predict::CostTable& table);
  void end(const QString& problem);

  ui::Session* m_session;
  CalibrationProcess m_process;
  QThreadPool m_pool;
  std::shared_ptr<const plan::Experiment> m_experiment;  ///< being measured
  std::unique_ptr<EngineInput> m_file;
  std::unique_ptr<workspace::RunLock> m_lock;
};

}  // namespace stagelane::app
