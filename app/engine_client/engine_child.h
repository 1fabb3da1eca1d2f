#pragma once

/// The engine program as a child of this one: starts it, hands on its event lines, ends it, and
/// says how it ended. It knows neither runs nor calibrations; those are EngineProcess and
/// CalibrationProcess.

#include <QByteArray>
#include <QObject>
#include <QProcess>
#include <QStringList>
#include <QTimer>
#include <filesystem>
#include <optional>
#include <string>

#include "engine/base/json.h"
#include "engine/base/result.h"

namespace stagelane::app {

/// Where the engine program is: `$STAGELANE_ENGINE`, else beside this program.
/// @errors EngineFailure with how to add it
[[nodiscard]] Result<std::filesystem::path> findEngine();

/// What the engine is asked to do.
struct EngineTask {
  QStringList arguments;
  int lockDescriptor = -1;  ///< of the run lock, which it holds until it has ended; -1 for none
  std::string context;      ///< of an error that it does not report itself: on what it worked
  std::string hint;         ///< and what to do
};

/// How it ended.
struct EngineEnd {
  int exitCode = 0;            ///< of engine/base/result.h: 0, 2 … 8, 130
  std::optional<Error> error;  ///< for every code but 0 and 130
};

class EngineChild final : public QObject {
  Q_OBJECT

 public:
  explicit EngineChild(QObject* parent = nullptr);
  /// Kills what is left of it.
  ~EngineChild() override;

  /// It ends with this program, however that ends. @pre not running @errors EngineFailure: no
  /// engine
  [[nodiscard]] Status start(const EngineTask& task);
  /// SIGTERM now, SIGKILL after @p killAfterMs; a second call kills at once.
  void cancel(int killAfterMs);
  /// Ends it without a word to anybody. @thread blocks for @p patienceMs, then kills
  void stop(int patienceMs);
  [[nodiscard]] bool isRunning() const { return m_process.state() != QProcess::NotRunning; }
  [[nodiscard]] bool cancelAsked() const { return m_cancelAsked; }
  /// The end of what it wrote beside events, on standard error or output.
  [[nodiscard]] const QByteArray& log() const { return m_log; }

 Q_SIGNALS:
  /// One event line, in order.
  void eventReceived(const stagelane::Json& event);
  void ended(const stagelane::app::EngineEnd& end);

 private:
  void readLines();
  void handleLine(const QByteArray& line);
  void addToLog(const QByteArray& text);
  void startFailed(QProcess::ProcessError problem);
  void onFinished(int code, QProcess::ExitStatus status);
  [[nodiscard]] Error errorOf(int code, QProcess::ExitStatus status) const;

  QProcess m_process;
  QTimer m_killTimer;
  EngineTask m_task;
  QByteArray m_partialLine;
  QByteArray m_log;
  std::optional<Error> m_reported;  ///< its own `error` event
  bool m_cancelAsked = false;
};

}  // namespace stagelane::app
