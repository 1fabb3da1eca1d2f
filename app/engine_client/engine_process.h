#pragma once

/// A run in an engine process: starts `stagelane-engine run`, forwards its events, cancels it.
/// Shared by the command line and the window; never blocks. However the engine ends, the run folder
/// is closed (a killed engine's run is marked failed) before `finished` is emitted. If the
/// experiment's devices are on another host, the engine runs there. Does not choose the folder and
/// shows nothing.

#include <QObject>
#include <QStringList>
#include <QThreadPool>
#include <filesystem>
#include <memory>
#include <optional>

#include "app/engine_client/engine_child.h"
#include "app/engine_client/remote_engine.h"
#include "engine/base/json.h"
#include "engine/base/result.h"
#include "engine/record/run_record.h"
#include "engine/workspace/workspace.h"

namespace stagelane::app {

/// How a run ended.
struct EngineOutcome {
  int exitCode = 0;                         ///< of engine/base/result.h: 0, 3 … 8, 130
  std::optional<Error> error;               ///< for every code except 0 and 130
  std::optional<record::RunResult> result;  ///< of the closed run folder, if there is one
  bool isLeft = false;  ///< the run continues on another host; `attach` takes it up again
};

/// Files that the engine reads in addition to the experiment.
struct EngineFiles {
  std::filesystem::path costs;  ///< cost table for predictions and `auto`; "" for estimates
  std::filesystem::path plan;   ///< stages and orders to run; "" if the engine searches for them
};

/// Number of processes of a run that is as many as the experiment needs.
inline constexpr int kRanksNeeded = 0;

class EngineProcess final : public QObject {
  Q_OBJECT

 public:
  explicit EngineProcess(QObject* parent = nullptr);
  ~EngineProcess() override;

  /// Starts the engine on an experiment file; `outFolder` exists and is empty. `lock`, if given, is
  /// held until the engine exits, even if this program ends first. `ranks` processes share the
  /// devices.
  /// @errors EngineFailure: no engine, or one is already running
  [[nodiscard]] Status start(const std::filesystem::path& experiment,
                             const std::filesystem::path& outFolder,
                             std::shared_ptr<const workspace::RunLock> lock = nullptr,
                             const EngineFiles& files = {}, int ranks = kRanksNeeded);
  /// Resumes an ended run in its folder: the engine measures what is missing. Attaches to one that
  /// continues on another host.
  /// @errors EngineFailure: no engine, or one is already running; CannotWrite: a link in the folder
  [[nodiscard]] Status resume(const std::filesystem::path& folder,
                              std::shared_ptr<const workspace::RunLock> lock = nullptr,
                              int ranks = kRanksNeeded);
  /// Follows a run on another host that an earlier process left (record::isRemoteRunOpen): emits
  /// the events that are not in the folder yet, and ends as if it had been started here.
  /// @errors Invalid: it is over; CannotWrite: another process follows it
  [[nodiscard]] Status attach(const std::filesystem::path& folder,
                              std::shared_ptr<const workspace::RunLock> lock = nullptr);
  /// Stops following a run on another host, which continues there: `finished` has `isLeft`. Does
  /// nothing for a run on this machine. The destructor does the same.
  void leave();
  /// If the connection to the host of the run is lost: tries again now, not at the next try.
  void tryNow() { m_remote.tryNow(); }
  /// Sends SIGTERM now, SIGKILL after 5 s plus the longest action so far. A second call kills
  /// immediately, or leaves a run on a host that is not reached.
  void cancel();
  /// True until `finished`.
  [[nodiscard]] bool isRunning() const {
    return m_engine.isRunning() || m_remote.isRunning() || m_closing;
  }
  [[nodiscard]] const std::filesystem::path& folder() const { return m_folder; }

 Q_SIGNALS:
  /// Emitted for each event line, in order.
  void eventReceived(const stagelane::Json& event);
  /// Only for a run on another host: starting, connected, lost, trying, fetching.
  void connectionChanged(const stagelane::app::Connection& connection);
  void finished(const stagelane::app::EngineOutcome& outcome);

 private:
  [[nodiscard]] Status prepare(const std::filesystem::path& folder,
                               std::shared_ptr<const workspace::RunLock> lock);
  [[nodiscard]] Status launchRemote(const RemoteTask& task,
                                    std::shared_ptr<const workspace::RunLock> lock);
  [[nodiscard]] Status launch(const QStringList& arguments, const std::filesystem::path& folder,
                              std::shared_ptr<const workspace::RunLock> lock);
  void onEvent(const Json& event);
  void onEnded(const EngineEnd& end);
  void keepLog() const;
  [[nodiscard]] int killDelayMs() const;

  EngineChild m_engine;
  RemoteEngine m_remote;
  bool m_isRemote = false;  ///< which of them the current run has
  QThreadPool m_closer;     ///< one thread
  bool m_closing = false;   ///< the engine has exited, its folder is being closed
  std::filesystem::path m_folder;
  std::shared_ptr<const workspace::RunLock> m_lock;
  double m_longestS = 0.0;  ///< longest action, or repeat if there are no action times
  bool m_longestIsAction = false;
};

}  // namespace stagelane::app
