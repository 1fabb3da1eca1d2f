#include "app/engine_client/remote/host_check.h"

#include <QDateTime>
#include <QElapsedTimer>
#include <QProcess>

#include "app/engine_client/remote/host_errors.h"
#include "app/engine_client/remote/remote_scripts.h"
#include "app/engine_client/remote/ssh.h"
#include "engine/base/goes_on.h"
#include "engine/plan/hosts.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::app {
namespace {

constexpr int kPatienceMs = 60'000;
constexpr int kPollMs = 100;

/// The text before the next line break, which is taken off.
QByteArray takeLine(QByteArray& text) {
  const qsizetype end = text.indexOf('\n');
  const QByteArray line = text.left(end < 0 ? text.size() : end);
  text.remove(0, line.size() + 1);
  return line.trimmed();
}

/// False if it still runs: canceled, or out of patience.
bool waitFor(QProcess& process, const std::atomic<bool>& canceled) {
  QElapsedTimer time;
  time.start();
  while (!process.waitForFinished(kPollMs)) {
    if (process.state() == QProcess::NotRunning) return true;
    if (canceled || time.hasExpired(kPatienceMs)) return false;
  }
  return true;
}

Error notUnderstood(const std::string& host) {
  Error error{ErrorCode::EngineFailure,
              "the answer of " + host + " is not understood",
              {},
              "Check that `ssh " + host + " true` prints nothing",
              {}};
  error.failure.host = host;
  return error;
}

}  // namespace

Result<RemoteHost> checkHost(const RemoteHost& host) {
  const std::atomic<bool> never = false;
  return checkHost(host, never);
}

Result<RemoteHost> checkHost(const RemoteHost& host, const std::atomic<bool>& canceled) {
  STAGELANE_CHECK(plan::checkHostName(host.name));
  const SshCommand command = sshCommand(host.name, scripts::kCheck, {host.engine});
  QProcess process;
  process.setStandardInputFile(QProcess::nullDevice());
  process.start(command.program, command.arguments);
  const bool started = process.waitForStarted(-1);
  if (started && !waitFor(process, canceled)) {
    process.kill();
    process.waitForFinished(-1);
    if (canceled) return canceledError(host.name);
    return tl::make_unexpected(sshError(host.name, "Connection timed out"));
  }
  QByteArray printed = process.readAllStandardOutput();
  const bool crashed = process.exitStatus() == QProcess::CrashExit;
  const int code = !started ? -1 : crashed ? kSshFailed : process.exitCode();
  RemoteHost checked = host;
  if (code == 0 || code == scripts::kNoEngine) {
    const QByteArray whole = printed;
    checked.engine = takeLine(printed).toStdString();
    checked.version = takeLine(printed).toStdString();
    if (code == scripts::kNoEngine) printed = whole;
  }
  if (code != 0) {
    return tl::make_unexpected(hostError(host.name, code, printed, process.readAllStandardError()));
  }
  if (checked.version != ownEngineVersion()) {
    return tl::make_unexpected(otherVersion(host.name, checked.version, checked.engine));
  }
  const auto document =
      parseJson({printed.constData(), static_cast<std::size_t>(printed.size())}, "devices");
  if (!document || !document->is_object() || !document->contains("devices")) {
    return tl::make_unexpected(notUnderstood(host.name));
  }
  checked.devices = (*document)["devices"];
  checked.checkedAt = ui::utf8(QDateTime::currentDateTimeUtc().toString(Qt::ISODate));
  return checked;
}

}  // namespace stagelane::app
