#include "app/engine_client/remote_engine.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <system_error>
#include <utility>

#include "app/engine_client/event_members.h"
#include "app/engine_client/remote/fetched_run.h"
#include "app/engine_client/remote/host_errors.h"
#include "app/engine_client/remote/remote_scripts.h"
#include "app/engine_client/remote/run_words.h"
#include "app/engine_client/remote/ssh.h"
#include "app/engine_client/remote/upload.h"
#include "engine/base/files.h"
#include "engine/plan/hosts.h"
#include "engine/record/run_record.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::app {
namespace {

namespace fs = std::filesystem;

/// What a run has here before its folder is copied.
constexpr std::array<const char*, 5> kOwnFiles{"events.jsonl", "experiment.json", "plan.json",
                                               "costs.json", "schedules"};
constexpr int kMostLaunches = 3;
constexpr int kFetchedEveryMs = 250;
constexpr int kSignalRetryMs = 2'000;
constexpr int kSignalBase = 128;  // of the exit code that sh makes of a signal

}  // namespace

RemoteEngine::RemoteEngine(QObject* parent) : QObject(parent) {
  m_retry.setSingleShot(true);
  connect(&m_retry, &QTimer::timeout, this, &RemoteEngine::tryNow);
  m_fetchTimer.setInterval(kFetchedEveryMs);
  connect(&m_fetchTimer, &QTimer::timeout, this, &RemoteEngine::tellFetched);
  m_killTimer.setSingleShot(true);
  m_killTimer.setTimerType(Qt::PreciseTimer);  // a coarse timer may fire early
  connect(&m_killTimer, &QTimer::timeout, this, [this] {
    m_pendingSignal = "KILL";
    sendSignal();
  });
}

RemoteEngine::~RemoteEngine() {
  m_mirror.reset();
  m_step.reset();
  m_signal.reset();
}

fs::path RemoteEngine::work() const { return m_task.folder / ".remote"; }

std::string RemoteEngine::nextByte() const {
  return std::to_string((m_mirror ? m_mirror->size() : 0) + 1);
}

// --- the ends of a run, here ---------------------------------------------------------------------

void RemoteEngine::stop() {
  m_isRunning = false;
  m_retry.stop();
  m_killTimer.stop();
  m_fetchTimer.stop();
  dropStep();
  if (m_signal) {
    m_signal->disconnect(this);
    m_signal.release()->deleteLater();
  }
  m_mirror.reset();
}

void RemoteEngine::tryNow() {
  if (!m_isRunning || m_connection.link != Link::Lost) return;
  m_retry.stop();
  setLink(Link::Trying);
  (this->*m_again)();
}

void RemoteEngine::leave() {
  if (!m_isRunning) return;
  EngineEnd end;
  end.exitCode = kExitCanceled;
  end.isLeft = true;
  finish(end);
}

void RemoteEngine::finishLeft(Error error) {
  EngineEnd end;
  end.isLeft = true;
  error.hint += (error.hint.empty() ? "" : ". ") + std::string("The run's files are in ") +
                m_run.folder + " on " + m_run.host +
                "; to take the run up: `stagelane run --resume " + m_task.folder.string() + "`";
  end.exitCode = static_cast<int>(error.code);
  end.error = std::move(error);
  finish(end);
}

void RemoteEngine::finish(const EngineEnd& end) {
  const bool isEmpty = m_mirror && m_mirror->size() == 0;
  stop();
  std::error_code ignored;
  fs::remove_all(work(), ignored);
  if (!end.isLeft) {
    // A run that ended before its first event leaves nothing.
    if (isEmpty) {
      for (const char* name : kOwnFiles) fs::remove_all(m_task.folder / name, ignored);
    }
    m_run.isOver = true;
    if (m_run.pid == 0) {
      fs::remove(record::remoteFile(m_task.folder), ignored);
    } else if (const Status written = record::writeRemoteRun(m_task.folder, m_run); !written) {
      Q_EMIT ended({static_cast<int>(written.error().code), written.error(), true});
      return;
    }
  }
  Q_EMIT ended(end);
}

// --- the steps -----------------------------------------------------------------------------------

void RemoteEngine::dropStep() {
  if (!m_step) return;
  m_step->disconnect(this);
  // It may be the sender of the current call.
  m_step.release()->deleteLater();
}

void RemoteEngine::begin(const SshCommand& command, const SshFiles& files, Done done) {
  dropStep();
  m_isFollowing = false;
  m_printed.clear();
  m_step = std::make_unique<SshStep>(command, files);
  connect(m_step.get(), &SshStep::printed, this, [this](const QByteArray& bytes) {
    if (m_isFollowing) {
      onConnected();
      take(bytes);
    } else {
      m_printed += bytes;
    }
  });
  connect(m_step.get(), &SshStep::complained, this, [this] {
    if (m_isFollowing && m_step->errors().contains(scripts::kFollowing.data())) onConnected();
  });
  connect(m_step.get(), &SshStep::ended, this, std::move(done));
  m_step->start();
}

void RemoteEngine::beginScript(std::string_view script, const std::vector<std::string>& arguments,
                               const SshFiles& files, Done done) {
  begin(sshCommand(m_run.host, script, arguments), files, std::move(done));
}

Error RemoteEngine::stepError(int code) const {
  Error error = hostError(m_run.host, code, m_printed, m_step->errors());
  if (code == scripts::kFolderGone) error.context = m_run.folder;
  return error;
}

Status RemoteEngine::start(const RemoteTask& task) {
  STAGELANE_CHECK(plan::checkHostName(task.host));
  m_task = task;
  m_run = {};
  m_run.host = task.host;
  m_run.id = newRunId();
  m_run.engine = task.engine;
  m_exit = {};
  m_log.clear();
  m_pendingSignal.clear();
  m_cancelAsked = false;
  m_connection = {task.host, Link::Starting, "", 0, 0};
  std::error_code ignored;
  fs::remove_all(work(), ignored);
  fs::create_directories(work(), ignored);
  if (!task.experiment.empty()) {
    STAGELANE_CHECK(gatherUpload({task.experiment, task.plan, task.costs}, work() / "in"));
  }
  STAGELANE_CHECK(record::writeRemoteRun(task.folder, m_run));
  m_isRunning = true;
  Q_EMIT connectionChanged(m_connection);
  pack();
  return {};
}

Status RemoteEngine::attach(const fs::path& folder) {
  STAGELANE_TRY(run, record::readRemoteRun(folder));
  if (!*run || (*run)->isOver) {
    return fail(ErrorCode::Invalid, "the folder has no run that continues on another host",
                folder.string(), "`stagelane runs` lists the runs and their status");
  }
  m_task = {};
  m_task.folder = folder;
  m_run = **run;
  m_exit = {};
  m_log.clear();
  m_pendingSignal = m_run.isCanceled ? "TERM" : "";
  m_cancelAsked = false;
  m_connection = {m_run.host, Link::Trying, "", 0, 0};
  STAGELANE_TRY(mirror, EventMirror::open(folder));
  m_mirror = std::move(*mirror);
  m_isRunning = true;
  Q_EMIT connectionChanged(m_connection);
  if (m_run.pid == 0) {
    launch();  // the answer of an earlier launch was lost
  } else {
    follow();
  }
  return {};
}

void RemoteEngine::pack() {
  const bool isNew = !m_task.experiment.empty();
  QStringList arguments{u"-cf"_s, pathText(work() / "in.tar"), u"-C"_s,
                        pathText(isNew ? work() / "in" : m_task.folder)};
  if (!isNew) arguments << u"--exclude=./.remote"_s << u"--exclude=./remote.json"_s;
  begin(tarCommand(arguments << u"."_s), {}, [this](int code) {
    if (code == 0) return launch();
    const std::string why = m_step->errors().trimmed().toStdString();
    finish({static_cast<int>(ErrorCode::CannotWrite),
            Error{ErrorCode::CannotWrite, "cannot pack the files of the run: " + why,
                  work().string(), "free some space, or install tar"},
            false});
  });
}

void RemoteEngine::launch() {
  std::vector<std::string> arguments{m_run.id,           m_run.engine,
                                     ownEngineVersion(), m_task.experiment.empty() ? "run" : "in",
                                     "--host",           m_run.host};
  if (m_task.ranks > 0) {
    arguments.insert(arguments.end(), {"--ranks", std::to_string(m_task.ranks)});
  }
  const fs::path packed = work() / "in.tar";
  std::error_code failed;
  const fs::path input = fs::exists(packed, failed) ? packed : fs::path("/dev/null");
  beginScript(scripts::kStart, arguments, {input, {}}, [this](int code) { onLaunched(code); });
}

void RemoteEngine::onLaunched(int code) {
  const QList<QByteArray> words = m_printed.mid(m_printed.indexOf("started ")).trimmed().split(' ');
  if (code == 0 && words.value(0) == "started" && words.size() >= 3) {
    m_run.pid = numberAt(words, 1, 0);
    m_run.folder = words.mid(2).join(' ').toStdString();
    if (const Status written = record::writeRemoteRun(m_task.folder, m_run); !written) {
      finishLeft(written.error());
      return;
    }
    keepUpload(work(), m_task.experiment.empty() ? fs::path() : m_task.folder);
    m_connection.attempts = 0;
    follow();
    return;
  }
  const Error error = stepError(code);
  // The engine may have started although the answer was lost; a second launch then only asks.
  const bool mayTryAgain = code == kSshFailed && isLostConnection(m_step->errors());
  if (mayTryAgain && m_connection.attempts < kMostLaunches)
    return lose(error, &RemoteEngine::launch);
  finish({static_cast<int>(error.code), error, false});
}

void RemoteEngine::follow() {
  if (!m_mirror) {
    auto mirror = EventMirror::open(m_task.folder);
    if (!mirror) return finishLeft(mirror.error());
    m_mirror = std::move(*mirror);
  }
  beginScript(scripts::kFollow, {m_run.folder, nextByte()}, {},
              [this](int code) { onFollowed(code); });
  m_isFollowing = true;
}

void RemoteEngine::onConnected() {
  if (m_connection.link == Link::Connected) return;
  m_connection.attempts = 0;
  setLink(Link::Connected);
  sendSignal();
}

void RemoteEngine::onFollowed(int code) {
  if (!m_isRunning) return;
  if (code == 0) return askEnd();
  const Error error = stepError(code);
  if (code == scripts::kFolderGone) {
    finish({static_cast<int>(error.code), error, false});
  } else if (code == -1) {
    finishLeft(error);
  } else {
    lose(error, &RemoteEngine::follow);
  }
}

/// The engine has ended: what is not here yet of its events, its exit code, and its output.
void RemoteEngine::askEnd() {
  m_killTimer.stop();
  m_pendingSignal.clear();
  setLink(Link::Fetching);
  beginScript(scripts::kEnd, {m_run.folder, nextByte()}, {},
              [this](int code) { onEndKnown(code); });
}

void RemoteEngine::onEndKnown(int code) {
  if (code != 0) {
    // Follows again, which finds out what is the matter.
    return lose(stepError(code), &RemoteEngine::follow);
  }
  QByteArray printed = std::exchange(m_printed, {});
  const qsizetype line = printed.indexOf('\n');
  const QList<QByteArray> words = printed.left(line).split(' ');
  const qsizetype count = std::max<qsizetype>(0, numberAt(words, 1, 0));
  m_connection.totalBytes = numberAt(words, 2, 0);
  take(printed.mid(line + 1, count));
  if (!m_isRunning) return;
  readLog(printed.mid(line + 1 + count));
  const auto exit = static_cast<int>(numberAt(words, 0, kSignalBase + SIGKILL));
  const bool isSignal = exit > kSignalBase && exit != kExitCanceled;
  m_exit.code = isSignal ? 0 : exit;
  m_exit.signal = isSignal ? exit - kSignalBase : 0;
  m_exit.cancelAsked = m_run.isCanceled;
  m_exit.log = m_log;
  m_exit.context = m_task.folder.string();
  m_exit.hint = "Measurements are kept; see engine.log in that folder";
  fetch();
}

void RemoteEngine::readLog(const QByteArray& printed) {
  for (const QByteArray& line : printed.split('\n')) {
    const auto event =
        parseJson({line.constData(), static_cast<std::size_t>(line.size())}, "engine");
    if (!event || !event->is_object() || !event->contains("event")) {
      if (!line.isEmpty()) m_log += line + '\n';
    } else if (textAt(*event, "event") == "error") {
      m_exit.reported = record::errorFromEvent(*event);
    }
  }
}

void RemoteEngine::fetch() {
  std::error_code failed;
  fs::remove_all(work(), failed);
  fs::create_directories(work() / "copy", failed);
  if (failed) {
    return finishLeft({ErrorCode::CannotWrite,
                       "cannot create a folder: " + failed.message(),
                       work().string(),
                       "free some space",
                       {}});
  }
  if (m_mirror->size() == 0) return remove();  // it ended before the run began
  m_connection.fetchedBytes = 0;
  setLink(Link::Fetching);
  m_fetchTimer.start();
  beginScript(scripts::kFetch, {m_run.folder}, {{"/dev/null"}, work() / "out.tar"},
              [this](int code) {
                m_fetchTimer.stop();
                if (code == 0) return unpack();
                if (code == kSshFailed) return lose(stepError(code), &RemoteEngine::fetch);
                finishLeft(stepError(code));
              });
}

void RemoteEngine::tellFetched() {
  std::error_code failed;
  const std::uintmax_t size = fs::file_size(work() / "out.tar", failed);
  if (failed || static_cast<std::int64_t>(size) == m_connection.fetchedBytes) return;
  m_connection.fetchedBytes = static_cast<std::int64_t>(size);
  Q_EMIT connectionChanged(m_connection);
}

void RemoteEngine::unpack() {
  const QStringList arguments{u"-xf"_s,
                              pathText(work() / "out.tar"),
                              u"-C"_s,
                              pathText(work() / "copy"),
                              u"--no-same-owner"_s,
                              u"--no-same-permissions"_s};
  begin(tarCommand(arguments), {}, [this](int code) {
    if (code != 0) {
      const std::string why = m_step->errors().trimmed().toStdString();
      return finishLeft({ErrorCode::CannotWrite,
                         "cannot unpack the run: " + why,
                         work().string(),
                         "free some space",
                         {}});
    }
    const Status taken = takeFetchedRun(work() / "copy", m_task.folder);
    if (!taken) return finishLeft(taken.error());
    remove();
  });
}

void RemoteEngine::remove() {
  beginScript(scripts::kRemove, {m_run.folder, m_run.id}, {{"/dev/null"}, {}}, [this](int code) {
    if (code != 0) {
      m_log += QByteArray::fromStdString("the run's files remain in " + m_run.folder + " on " +
                                         m_run.host + "\n");
    }
    finish(engineEnd(m_exit));
  });
}

// --- events, connection, cancel ------------------------------------------------------------------

void RemoteEngine::take(const QByteArray& bytes) {
  const auto events = m_mirror->take(bytes);
  if (!events) return finishLeft(events.error());
  for (Json event : *events) {
    const std::string name = textAt(event, "event");
    if (name == "error") m_exit.reported = record::errorFromEvent(event);
    if (event.contains("folder")) event["folder"] = m_task.folder.string();
    Q_EMIT eventReceived(event);
    if (!m_isRunning) return;  // a listener left the run
  }
}

void RemoteEngine::setLink(Link link) {
  m_connection.link = link;
  if (link != Link::Lost) m_connection.nextTryMs = 0;
  Q_EMIT connectionChanged(m_connection);
}

void RemoteEngine::lose(const Error& why, void (RemoteEngine::*again)()) {
  dropStep();
  ++m_connection.attempts;
  m_connection.reason = why.message + (why.hint.empty() ? "" : ". " + why.hint);
  m_connection.nextTryMs = retryDelayMs(m_connection.attempts);
  m_again = again;
  m_retry.start(m_connection.nextTryMs);
  setLink(Link::Lost);
}

void RemoteEngine::cancel(int killAfterMs) {
  if (!m_isRunning) return;
  if (m_cancelAsked) {
    const bool isReached = m_connection.link == Link::Connected;
    if (m_run.pid == 0) return finish({kExitCanceled, {}, false});
    if (!isReached) return leave();
    m_pendingSignal = "KILL";
    return sendSignal();
  }
  m_cancelAsked = true;
  m_run.isCanceled = true;
  // Another process that takes the run up cancels it, too.
  static_cast<void>(record::writeRemoteRun(m_task.folder, m_run));
  m_pendingSignal = "TERM";
  m_killTimer.start(killAfterMs);
  sendSignal();
}

void RemoteEngine::sendSignal() {
  if (m_pendingSignal.empty() || m_run.pid == 0 || m_signal || !m_isRunning) return;
  if (m_connection.link != Link::Connected) return;  // sent when the host is reached
  const std::vector<std::string> arguments{m_run.folder, m_pendingSignal,
                                           std::to_string(m_run.pid)};
  m_signal = std::make_unique<SshStep>(sshCommand(m_run.host, scripts::kSignal, arguments),
                                       SshFiles{"/dev/null", {}});
  connect(m_signal.get(), &SshStep::ended, this, [this, sent = m_pendingSignal](int code) {
    m_signal.release()->deleteLater();
    const bool isLost = code == kSshFailed || code == -1;
    if (!isLost && sent == m_pendingSignal) m_pendingSignal.clear();
    if (isLost) {
      QTimer::singleShot(kSignalRetryMs, this, &RemoteEngine::sendSignal);
    } else {
      sendSignal();  // another one may have been asked for
    }
  });
  m_signal->start();
}

}  // namespace stagelane::app
