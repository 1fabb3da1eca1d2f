#include "app/engine_client/remote/host_errors.h"

#include <QList>

#include "app/engine_client/remote/remote_scripts.h"
#include "app/engine_client/remote/ssh.h"
#include "engine/base/version.h"

namespace stagelane::app {
namespace {

Error errorOn(const std::string& host, std::string message, std::string hint) {
  Error error{ErrorCode::EngineFailure, std::move(message), {}, std::move(hint), {}};
  error.failure.kind = FailureKind::EngineFailure;
  error.failure.host = host;
  return error;
}

std::string lineAt(const QByteArray& text, qsizetype index) {
  return text.split('\n').value(index).trimmed().toStdString();
}

std::string lastLine(const QByteArray& text) {
  const QByteArray all = text.trimmed();
  return all.mid(all.lastIndexOf('\n') + 1).trimmed().toStdString();
}

}  // namespace

std::string ownEngineVersion() {
  return "stagelane-engine " + std::string(version()) + " (" + std::string(gitRevision()) + ")";
}

Error otherVersion(const std::string& host, const std::string& version, const std::string& engine) {
  const std::string there = version.empty() ? "an engine that does not start" : version;
  return errorOn(
      host,
      host + " has " + there + " in " + engine + ", and this program needs " + ownEngineVersion(),
      "Build the same revision there; `./dev device-bundle` collects what a machine "
      "without packages needs (docs/guide/hosts.md)");
}

Error hostError(const std::string& host, int code, const QByteArray& printed,
                const QByteArray& errors) {
  switch (code) {
    case -1: return sshMissing("ssh");
    case kSshFailed: return sshError(host, errors);
    case scripts::kOtherVersion: return otherVersion(host, lineAt(printed, 0), lineAt(printed, 1));
    case scripts::kFolderGone:
      return errorOn(host, "the run's folder on " + host + " is gone", "Run the experiment again");
    case scripts::kNoEngine:
      return errorOn(host, "there is no stagelane-engine on " + host + ": " + lineAt(printed, 0),
                     "Install it there, or name it: `stagelane devices --host " + host +
                         " --engine PATH` (docs/guide/hosts.md)");
    case scripts::kNoTool:
      return errorOn(host, host + " has no program " + lineAt(printed, 0),
                     "Install it there (Debian: tar, util-linux)");
    default: break;
  }
  const std::string said = lastLine(errors);
  return errorOn(host,
                 "the command on " + host + " ended with code " + std::to_string(code) +
                     (said.empty() ? "" : ": " + said),
                 "Check that `ssh " + host + "` works in a terminal");
}

}  // namespace stagelane::app
