#pragma once

/// Writes files so that they survive a kill at any moment: a temporary file is synced, then
/// renamed. Not for traces, which have their own writer.

#include <filesystem>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace stagelane {

/// The file holds either its old or its new content, never a part. @errors CannotWrite
[[nodiscard]] Status writeFileAtomically(const std::filesystem::path& path,
                                         std::string_view content);
/// @errors Invalid
[[nodiscard]] Result<std::string> readFile(const std::filesystem::path& path);
/// Creates the folder and its parents, or accepts an existing empty folder. @errors CannotWrite
[[nodiscard]] Status makeEmptyFolder(const std::filesystem::path& path);

/// Ignores SIGXFSZ and SIGPIPE, so that a full disk or a closed pipe arrives as a write error.
/// Call once at the start of `main`.
void ignoreWriteSignals();

}  // namespace stagelane
