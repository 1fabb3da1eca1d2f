#pragma once

/// A calibration in an engine process: starts `stagelane-engine calibrate`, forwards its events,
/// cancels it, and reads the table. It does not decide when to calibrate and stores nothing.

#include <QObject>
#include <filesystem>
#include <optional>

#include "app/engine_client/engine_child.h"
#include "app/engine_client/engine_process.h"
#include "engine/base/json.h"
#include "engine/base/result.h"
#include "engine/predict/cost_table.h"

namespace stagelane::app {

struct CalibrationOutcome {
  int exitCode = 0;                         ///< of engine/base/result.h: 0, 3 … 8, 130
  std::optional<Error> error;               ///< for every code except 0 and 130
  std::optional<predict::CostTable> table;  ///< with exit code 0
};

struct CalibrationRequest {
  std::filesystem::path experiment;
  std::filesystem::path out;  ///< file that the engine writes
  double seconds = 60.0;
  bool onlyOccurring = false;  ///< only the sizes of the variants
  int ranks = kRanksNeeded;    ///< processes that share the devices
  int lockDescriptor = -1;     ///< of the run lock, which the engine holds until it exits
};

class CalibrationProcess final : public QObject {
  Q_OBJECT

 public:
  explicit CalibrationProcess(QObject* parent = nullptr);

  /// @errors EngineFailure: no engine, or one is running already
  [[nodiscard]] Status start(const CalibrationRequest& request);
  /// Sends SIGTERM, then SIGKILL if the engine does not exit. A second call kills it immediately.
  void cancel();
  [[nodiscard]] bool isRunning() const { return m_engine.isRunning(); }

 Q_SIGNALS:
  /// Emitted for each event line, in order.
  void eventReceived(const stagelane::Json& event);
  void finished(const stagelane::app::CalibrationOutcome& outcome);

 private:
  void onEnded(const EngineEnd& end);

  EngineChild m_engine;
  std::filesystem::path m_out;
};

}  // namespace stagelane::app
