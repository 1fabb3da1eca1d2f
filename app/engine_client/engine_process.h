#pragma once

/// A run in a process of its own: starts `stagelane-engine run`, hands on its events, cancels it.
/// Shared by the command line and the window; it never blocks. Whatever way the engine ends, the
/// run folder is closed (a killed engine's run is marked failed) before `finished` is emitted. It
/// neither chooses the folder nor shows anything.

#include <QObject>
#include <QStringList>
#include <QThreadPool>
#include <filesystem>
#include <memory>
#include <optional>

#include "app/engine_client/engine_child.h"
#include "engine/base/json.h"
#include "engine/base/result.h"
#include "engine/record/run_record.h"
#include "engine/workspace/workspace.h"

namespace stagelane::app {

/// How a run ended.
struct EngineOutcome {
  int exitCode = 0;                         ///< of engine/base/result.h: 0, 3 … 8, 130
  std::optional<Error> error;               ///< for every code but 0 and 130
  std::optional<record::RunResult> result;  ///< the closed run folder, where there is one
};

/// Files that an engine reads beside the experiment.
struct EngineFiles {
  std::filesystem::path costs;  ///< the cost table of predictions and `auto`; "": estimates
  std::filesystem::path plan;   ///< stages and orders that were shown; "": the engine finds them
};

class EngineProcess final : public QObject {
  Q_OBJECT

 public:
  explicit EngineProcess(QObject* parent = nullptr);
  ~EngineProcess() override;

  /// Starts the engine on an experiment file; `outFolder` exists and is empty. `lock`, if given, is
  /// held until the engine has ended, whatever becomes of this program. `files` are what the engine
  /// goes by.
  /// @errors EngineFailure: no engine; one is running already
  [[nodiscard]] Status start(const std::filesystem::path& experiment,
                             const std::filesystem::path& outFolder,
                             std::shared_ptr<const workspace::RunLock> lock = nullptr,
                             const EngineFiles& files = {});
  /// Goes on in a run folder whose run has ended: the engine measures what is missing.
  /// @errors EngineFailure: no engine; one is running already
  [[nodiscard]] Status resume(const std::filesystem::path& folder,
                              std::shared_ptr<const workspace::RunLock> lock = nullptr);
  /// SIGTERM now, SIGKILL after 5 s and the longest action seen; a second call kills at once.
  void cancel();
  /// Until `finished`.
  [[nodiscard]] bool isRunning() const { return m_engine.isRunning() || m_closing; }
  [[nodiscard]] const std::filesystem::path& folder() const { return m_folder; }

 Q_SIGNALS:
  /// One event line, in order.
  void eventReceived(const stagelane::Json& event);
  void finished(const stagelane::app::EngineOutcome& outcome);

 private:
  [[nodiscard]] Status launch(const QStringList& arguments, const std::filesystem::path& folder,
                              std::shared_ptr<const workspace::RunLock> lock);
  void onEvent(const Json& event);
  void onEnded(const EngineEnd& end);
  void keepLog() const;
  [[nodiscard]] int killDelayMs() const;

  EngineChild m_engine;
  QThreadPool m_closer;    ///< one thread
  bool m_closing = false;  ///< the engine has ended, its folder is being closed
  std::filesystem::path m_folder;
  std::shared_ptr<const workspace::RunLock> m_lock;
  double m_longestS = 0.0;  ///< longest action, or repeat where no action time came
  bool m_longestIsAction = false;
};

}  // namespace stagelane::app
