#pragma once

/// Ids, delays and words of runs on another host.

#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringList>
#include <filesystem>
#include <string>

#include "app/engine_client/remote/ssh.h"

namespace stagelane::app {

/// Not used by any other run of this user on the host.
[[nodiscard]] std::string newRunId();
/// Until the next try after so many that failed; longer each time. @units milliseconds
[[nodiscard]] int retryDelayMs(int attempts);
/// tar of this machine.
[[nodiscard]] SshCommand tarCommand(const QStringList& arguments);
[[nodiscard]] QString pathText(const std::filesystem::path& path);
/// The number at that place of a line, or `fallback`.
[[nodiscard]] qsizetype numberAt(const QList<QByteArray>& words, qsizetype index,
                                 qsizetype fallback);

}  // namespace stagelane::app
