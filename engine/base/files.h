#pragma once

/// Writes files so that they survive a kill at any moment: a temporary file is synced, then
/// renamed. Not for traces, which have their own writer.
///
/// The rule for links is here and in AtomicFile: a path that the user named is followed; inside a
/// folder that others may have filled (a run folder, a sweep, the place beside a trace) nothing is
/// written through a link.

#include <filesystem>
#include <string>
#include <string_view>

#include "engine/base/atomic_file.h"
#include "engine/base/result.h"

namespace stagelane {

/// The file holds either its old or its new content, never a part. @errors CannotWrite
[[nodiscard]] Status writeFileAtomically(const std::filesystem::path& path,
                                         std::string_view content, Links links = Links::Follow);
/// Opens a file of a folder that others may have filled, to append to it; never through a link.
/// `more`: further flags of open(2), such as O_CREAT. The caller closes it.
/// @returns the file descriptor, or -1 with errno (ELOOP: a link is at the path)
[[nodiscard]] int openToAppend(const std::filesystem::path& path, int more);
/// Whether writing to the path in place stays at the path: nothing is there, or a regular file.
/// @errors CannotWrite: a link, a pipe, a device or a folder is there
[[nodiscard]] Status requireNoLink(const std::filesystem::path& path);
/// @errors Invalid
[[nodiscard]] Result<std::string> readFile(const std::filesystem::path& path);
/// Creates the folder and its parents, or accepts an existing empty folder. @errors CannotWrite
[[nodiscard]] Status makeEmptyFolder(const std::filesystem::path& path);

/// Opens the standard streams that are closed on /dev/null. Otherwise the next files, sockets and
/// locks would become standard output or error. Call first in `main`.
void openStandardStreams();

/// Ignores SIGXFSZ and SIGPIPE, so that a full disk or a closed pipe arrives as a write error.
/// Call once at the start of `main`.
void ignoreWriteSignals();

}  // namespace stagelane
