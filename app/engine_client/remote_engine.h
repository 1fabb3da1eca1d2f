#pragma once

/// An engine on another host: the remote counterpart of EngineChild. Sends the run's files, starts
/// the engine there detached, follows its events.jsonl by byte offset into the local run folder,
/// takes a lost connection up again, and copies the run folder back when the engine has ended.
/// The local events.jsonl is at any time a beginning of the remote one, byte for byte, so its size
/// is the offset, and another process can go on from it. Never blocks.

#include <QByteArray>
#include <QObject>
#include <QTimer>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/engine_client/engine_end.h"
#include "app/engine_client/remote/connection.h"
#include "app/engine_client/remote/event_mirror.h"
#include "app/engine_client/remote/ssh_step.h"
#include "engine/base/json.h"
#include "engine/base/result.h"
#include "engine/record/remote_run.h"

namespace stagelane::app {

/// What is run on the host.
struct RemoteTask {
  std::string host;
  std::string engine;                ///< path there; "" for the default places
  std::filesystem::path experiment;  ///< "" to resume the run in `folder`
  std::filesystem::path plan;        ///< "" for none
  std::filesystem::path costs;       ///< "" for none
  std::filesystem::path folder;      ///< the local run folder; it exists
  int ranks = 0;                     ///< 0: as many as the experiment needs
};

class RemoteEngine final : public QObject {
  Q_OBJECT

 public:
  explicit RemoteEngine(QObject* parent = nullptr);
  /// Leaves the run to itself: it goes on there, and `attach` takes it up again.
  ~RemoteEngine() override;

  /// @pre not running @errors Invalid, CannotWrite: the files to send
  [[nodiscard]] Status start(const RemoteTask& task);
  /// Takes up the run that the folder remembers. Emits only the events that are not in the folder
  /// yet. @pre not running @errors Invalid: the folder remembers no run, or it is over;
  /// CannotWrite: another process follows it
  [[nodiscard]] Status attach(const std::filesystem::path& folder);
  /// Sends SIGTERM to the engine's process group, as soon as the host is reached; SIGKILL after
  /// @p killAfterMs. A second call kills immediately, or, while the host is not reached, leaves
  /// the run.
  void cancel(int killAfterMs);
  /// Stops following: the run goes on, and `ended` says so.
  void leave();
  /// Tries a lost connection now; does nothing otherwise.
  void tryNow();
  [[nodiscard]] bool isRunning() const { return m_isRunning; }
  /// What the engine printed that was not an event; known after its end.
  [[nodiscard]] const QByteArray& log() const { return m_log; }

 Q_SIGNALS:
  /// Emitted for each event line, in order.
  void eventReceived(const stagelane::Json& event);
  void connectionChanged(const stagelane::app::Connection& connection);
  /// `end` has `isLeft` if the run goes on without being followed.
  void ended(const stagelane::app::EngineEnd& end);

 private:
  // The steps of a run, each an ssh or tar process, in order.
  void pack();
  void launch();
  void onLaunched(int code);
  void follow();
  void onFollowed(int code);
  void askEnd();
  void onEndKnown(int code);
  void fetch();
  void unpack();
  void remove();

  using Done = std::function<void(int code)>;
  /// Ends the step before it.
  void begin(const SshCommand& command, const SshFiles& files, Done done);
  void beginScript(std::string_view script, const std::vector<std::string>& arguments,
                   const SshFiles& files, Done done);
  void dropStep();
  void take(const QByteArray& bytes);
  void readLog(const QByteArray& printed);
  void sendSignal();
  void onConnected();
  void tellFetched();
  /// Tries `again` later.
  void lose(const Error& why, void (RemoteEngine::*again)());
  void setLink(Link link);
  /// The error of the step, if it is not a lost connection.
  [[nodiscard]] Error stepError(int code) const;
  [[nodiscard]] std::filesystem::path work() const;
  [[nodiscard]] std::string nextByte() const;
  void stop();
  void finish(const EngineEnd& end);
  /// Ends with an error while the run's files are still on the host.
  void finishLeft(Error error);

  RemoteTask m_task;
  record::RemoteRun m_run;
  Connection m_connection;
  std::unique_ptr<EventMirror> m_mirror;
  std::unique_ptr<SshStep> m_step;    ///< in progress
  std::unique_ptr<SshStep> m_signal;  ///< carries a cancel
  QByteArray m_printed;               ///< by the step, unless it follows
  std::string m_pendingSignal;        ///< not delivered yet; "" for none
  QTimer m_retry;
  QTimer m_killTimer;
  QTimer m_fetchTimer;  ///< tells how much of the run folder is here
  void (RemoteEngine::*m_again)() = nullptr;
  EngineExit m_exit;
  QByteArray m_log;
  bool m_isFollowing = false;
  bool m_cancelAsked = false;  ///< here, not by an earlier process
  bool m_isRunning = false;
};

}  // namespace stagelane::app
