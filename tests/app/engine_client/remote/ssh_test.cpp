#include "app/engine_client/remote/ssh.h"

#include <gtest/gtest.h>

#include <QProcess>
#include <cstdlib>

namespace stagelane::app {
namespace {

/// What sh makes of a word.
std::string readBySh(const std::string& word) {
  QProcess process;
  process.start(QStringLiteral("sh"),
                {QStringLiteral("-c"), QString::fromStdString("printf %s " + word)});
  process.waitForFinished(-1);
  return process.readAllStandardOutput().toStdString();
}

TEST(ShellWord, IsReadAsOneWordWhateverItContains) {
  for (const char* text : {"", "plain", "two words", "it's", "'", "''", "$HOME `id` \"x\" \\ *",
                           "a\nb", "-n", "ü", "~", "!!"}) {
    EXPECT_EQ(readBySh(shellWord(text)), text);
  }
}

TEST(SshCommand, GivesHostAndScriptWithQuotedArguments) {
  ::unsetenv("STAGELANE_SSH");
  const SshCommand command = sshCommand("box", "echo \"$1\"", {"it's", "b c"});
  EXPECT_EQ(command.program, QStringLiteral("ssh"));
  EXPECT_TRUE(command.arguments.contains(QStringLiteral("BatchMode=yes")));
  const qsizetype end = command.arguments.indexOf(QStringLiteral("--"));
  ASSERT_EQ(command.arguments.size(), end + 3);
  EXPECT_EQ(command.arguments.at(end + 1), QStringLiteral("box"));
  EXPECT_EQ(command.arguments.at(end + 2).toStdString(),
            "exec sh -c 'echo \"$1\"' sh 'it'\\''s' 'b c'");
}

TEST(SshCommand, IsTheCommandLineOfTheEnvironment) {
  ::setenv("STAGELANE_SSH", "my-ssh -F \"/a b/config\"", 1);
  const SshCommand command = sshCommand("box", "true", {});
  ::unsetenv("STAGELANE_SSH");
  EXPECT_EQ(command.program, QStringLiteral("my-ssh"));
  EXPECT_EQ(command.arguments.at(0), QStringLiteral("-F"));
  EXPECT_EQ(command.arguments.at(1), QStringLiteral("/a b/config"));
}

struct Case {
  const char* printed;
  const char* said;
  bool isLost;
};

TEST(SshError, IsASentenceForWhatSshPrinted) {
  for (const Case& one :
       {Case{"No ED25519 host key is known for box and you have requested strict checking.\r\n"
             "Host key verification failed.\r\n",
             "host key of box is not known", false},
        Case{"@  WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!  @\r\nHost key verification "
             "failed.",
             "host key of box has changed", false},
        Case{"me@box: Permission denied (publickey).\r\n", "does not accept the login", false},
        Case{"ssh: Could not resolve hostname box: Name or service not known\r\n", "no host box",
             false},
        Case{"ssh: connect to host box port 22: Connection refused\r\n", "no ssh server", false},
        Case{"ssh: connect to host box port 22: Connection timed out\r\n", "did not answer", false},
        Case{"Timeout, server box not responding.\r\n", "was lost", true},
        Case{"Connection to box closed by remote host.\r\n", "was lost", true},
        Case{"", "was lost", true},
        Case{"Connection closed by 127.0.0.1 port 22\r\n", "was lost", true},
        Case{"client_loop: send disconnect: Broken pipe\r\n", "was lost", true},
        Case{"something new\r\n", "something new", false}}) {
    const Error error = sshError("box", one.printed);
    EXPECT_EQ(error.code, ErrorCode::EngineFailure);
    EXPECT_EQ(error.failure.host, "box");
    EXPECT_NE(error.message.find(one.said), std::string::npos) << one.printed << error.message;
    EXPECT_EQ(isLostConnection(one.printed), one.isLost) << one.printed;
    EXPECT_TRUE(one.isLost || error.hint.find("%1") == std::string::npos);
  }
}

}  // namespace
}  // namespace stagelane::app
