#pragma once

/// The engine as a child process: starts it, forwards its event lines, stops it, and reports how it
/// ended. Runs and calibrations are in EngineProcess and CalibrationProcess.

#include <QByteArray>
#include <QObject>
#include <QProcess>
#include <QStringList>
#include <QTimer>
#include <filesystem>
#include <optional>
#include <string>

#include "app/engine_client/engine_end.h"
#include "engine/base/json.h"
#include "engine/base/result.h"

namespace stagelane::app {

/// Path of the engine program: `$STAGELANE_ENGINE`, else next to this program.
/// @errors EngineFailure, with how to install it
[[nodiscard]] Result<std::filesystem::path> findEngine();

/// The engine's command and how to report its failure.
struct EngineTask {
  QStringList arguments;
  int lockDescriptor = -1;  ///< of the run lock, which the engine holds until it exits; -1 for none
  std::string context;      ///< context of an error that the engine does not report
  std::string hint;         ///< hint of such an error
};

class EngineChild final : public QObject {
  Q_OBJECT

 public:
  explicit EngineChild(QObject* parent = nullptr);
  /// Kills the engine if it still runs.
  ~EngineChild() override;

  /// The engine ends when this program ends. @pre not running @errors EngineFailure: no engine
  [[nodiscard]] Status start(const EngineTask& task);
  /// Sends SIGTERM now, SIGKILL after @p killAfterMs. A second call kills it immediately.
  void cancel(int killAfterMs);
  /// Stops the engine without a signal to listeners. @thread blocks for @p patienceMs, then kills
  void stop(int patienceMs);
  [[nodiscard]] bool isRunning() const { return m_process.state() != QProcess::NotRunning; }
  [[nodiscard]] bool cancelAsked() const { return m_cancelAsked; }
  /// The last output that was not an event, from standard error or output.
  [[nodiscard]] const QByteArray& log() const { return m_log; }

 Q_SIGNALS:
  /// Emitted for each event line, in order.
  void eventReceived(const stagelane::Json& event);
  void ended(const stagelane::app::EngineEnd& end);

 private:
  void readLines();
  void handleLine(const QByteArray& line);
  void addToLog(const QByteArray& text);
  void startFailed(QProcess::ProcessError problem);
  void onFinished(int code, QProcess::ExitStatus status);

  QProcess m_process;
  QTimer m_killTimer;
  EngineTask m_task;
  QByteArray m_partialLine;
  QByteArray m_log;
  std::optional<Error> m_reported;  ///< its `error` event
  bool m_cancelAsked = false;
};

}  // namespace stagelane::app
