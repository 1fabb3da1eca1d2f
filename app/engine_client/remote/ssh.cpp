#include "app/engine_client/remote/ssh.h"

#include <QProcess>
#include <array>
#include <cstdlib>

#include "engine/base/find.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::app {
namespace {

// What ssh prints, and the sentence for it. %1 is the host.
struct KnownProblem {
  std::string_view printed;
  const char* message;
  const char* hint;
  bool isLost = false;  ///< the connection existed, and may exist again
};

constexpr const char* kOnce = "Run `ssh %1` once in a terminal";

// In the order in which they are searched for: the first one that was printed counts.
constexpr std::array<KnownProblem, 18> kProblems{{
    {"REMOTE HOST IDENTIFICATION HAS CHANGED", "the host key of %1 has changed",
     "Find out why. If the change is right, remove the old key with `ssh-keygen -R %1`"},
    {"host key is known", "the host key of %1 is not known",
     "Run `ssh %1` once in a terminal, and accept its key"},
    {"Host key verification failed", "the host key of %1 is not known",
     "Run `ssh %1` once in a terminal, and accept its key"},
    {"Permission denied", "%1 does not accept the login",
     "Run `ssh %1` once in a terminal. It must log in without a question: use `ssh-add` for a key "
     "with a passphrase, or `ssh-copy-id %1` for a new key"},
    {"Too many authentication failures", "%1 does not accept the login",
     "Set IdentityFile and IdentitiesOnly for %1 in your ssh configuration"},
    {"Could not resolve hostname", "there is no host %1",
     "Use a host of your ssh configuration, or USER@HOST"},
    {"Connection refused", "no ssh server answers on %1", kOnce},
    {"Connection timed out", "%1 did not answer", "Check that it is on and reachable"},
    {"Operation timed out", "%1 did not answer", "Check that it is on and reachable"},
    {"No route to host", "%1 is not reachable", "Check the network"},
    {"Network is unreachable", "%1 is not reachable", "Check the network"},
    {"Bad configuration option", "the ssh configuration is not valid", kOnce},
    {"Bad owner or permissions", "the ssh configuration is not valid", kOnce},
    {"not responding", "the connection to %1 was lost: it does not answer", "", true},
    {"Connection closed", "the connection to %1 was lost", "", true},
    {"closed by remote host", "the connection to %1 was lost", "", true},
    {"Broken pipe", "the connection to %1 was lost", "", true},
    {"Connection reset", "the connection to %1 was lost", "", true},
}};

std::string withHost(std::string_view text, const std::string& host) {
  std::string answer(text);
  for (std::size_t at = answer.find("%1"); at != std::string::npos;
       at = answer.find("%1", at + host.size())) {
    answer.replace(at, 2, host);
  }
  return answer;
}

std::string lastLine(const QByteArray& printed) {
  const QByteArray text = printed.trimmed();
  return text.mid(text.lastIndexOf('\n') + 1).trimmed().toStdString();
}

Error engineError(std::string message, std::string hint, const std::string& host) {
  Error error{ErrorCode::EngineFailure, std::move(message), {}, std::move(hint), {}};
  error.failure.kind = FailureKind::EngineFailure;
  error.failure.host = host;
  return error;
}

/// The known problem that ssh has printed; null if there is none.
const KnownProblem* problemOf(const QByteArray& printed) {
  const std::string_view text(printed.constData(), static_cast<std::size_t>(printed.size()));
  return findIf(kProblems, [text](const KnownProblem& problem) {
    return text.find(problem.printed) != std::string_view::npos;
  });
}

QStringList sshProgram() {
  const char* named = std::getenv("STAGELANE_SSH");
  const QStringList words =
      named == nullptr ? QStringList() : QProcess::splitCommand(QString::fromLocal8Bit(named));
  return words.isEmpty() ? QStringList{u"ssh"_s} : words;
}

}  // namespace

std::string shellWord(std::string_view text) {
  std::string word = "'";
  for (const char c : text) {
    if (c == '\'') {
      word += "'\\''";
    } else {
      word += c;
    }
  }
  return word + "'";
}

SshCommand sshCommand(const std::string& host, std::string_view script,
                      const std::vector<std::string>& arguments) {
  QStringList words = sshProgram();
  SshCommand command{words.takeFirst(), words};
  // A silent connection ends after 3 s: a message each second, two without an answer.
  for (const char* option : {"BatchMode=yes", "ConnectTimeout=5", "ServerAliveInterval=1",
                             "ServerAliveCountMax=2", "ClearAllForwardings=yes"}) {
    command.arguments << u"-o"_s << QString::fromLatin1(option);
  }
  // The login shell can be any, so it only starts sh.
  std::string remote = "exec sh -c " + shellWord(script) + " sh";
  for (const std::string& argument : arguments) remote += " " + shellWord(argument);
  command.arguments << u"-T"_s << u"--"_s << ui::qstring(host) << ui::qstring(remote);
  return command;
}

Error sshError(const std::string& host, const QByteArray& printed) {
  if (const KnownProblem* known = problemOf(printed)) {
    return engineError(withHost(known->message, host), withHost(known->hint, host), host);
  }
  const std::string said = lastLine(printed);
  if (said.empty()) return engineError("the connection to " + host + " was lost", "", host);
  return engineError("the connection to " + host + " failed: " + said, withHost(kOnce, host), host);
}

bool isLostConnection(const QByteArray& printed) {
  const KnownProblem* known = problemOf(printed);
  return known != nullptr ? known->isLost : printed.trimmed().isEmpty();
}

Error sshMissing(const std::string& program) {
  return engineError("cannot start " + program, "Install ssh (Debian: openssh-client)", "");
}

}  // namespace stagelane::app
