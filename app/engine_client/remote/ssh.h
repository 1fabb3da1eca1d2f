#pragma once

/// The system's ssh as a command: its arguments, the quoting of remote words, and its errors as
/// sentences. Starts nothing.

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace stagelane::app {

/// A program and its arguments.
struct SshCommand {
  QString program;
  QStringList arguments;
};

/// ssh's own exit code for a connection that failed or was lost.
inline constexpr int kSshFailed = 255;

/// One word of sh, whatever it contains: 'it'\''s'.
[[nodiscard]] std::string shellWord(std::string_view text);

/// Runs a script of sh on the host, with arguments ($1, $2, …). Uses the user's own configuration
/// of ssh; never asks for anything; notices a silent connection within 4 s. `$STAGELANE_SSH`
/// replaces `ssh` by another command line.
[[nodiscard]] SshCommand sshCommand(const std::string& host, std::string_view script,
                                    const std::vector<std::string>& arguments);

/// One sentence, and what to do, for what ssh printed before it ended with kSshFailed.
[[nodiscard]] Error sshError(const std::string& host, const QByteArray& printed);
/// Whether an existing connection was lost, so that it may work again.
[[nodiscard]] bool isLostConnection(const QByteArray& printed);
/// The error if ssh itself is missing.
[[nodiscard]] Error sshMissing(const std::string& program);

}  // namespace stagelane::app
