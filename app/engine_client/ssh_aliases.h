#pragma once

/// The names of hosts in a user's configuration of ssh, to choose from. Only reads files: ssh
/// itself decides what a name means.

#include <QString>
#include <QStringList>

namespace stagelane::app {

/// The words of `Host` lines without patterns, in the order of the file and the files that it
/// includes; none if it cannot be read. Relative paths of `Include` are in `~/.ssh`, as for ssh.
/// @thread any; reads small files
[[nodiscard]] QStringList sshAliases(const QString& configFile);
/// The same of the user's own `~/.ssh/config`.
[[nodiscard]] QStringList sshAliases();

}  // namespace stagelane::app
