#pragma once

/// Files that survive a kill at any moment: written beside their place, synced and renamed.
/// Appending writers flush line by line. Not for traces, which have their own writer.

#include <filesystem>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace stagelane {

/// Old content or new content, never half of either. @errors CannotWrite
[[nodiscard]] Status writeFileAtomically(const std::filesystem::path& path,
                                         std::string_view content);
/// @errors Invalid
[[nodiscard]] Result<std::string> readFile(const std::filesystem::path& path);
/// Creates the folder and its parents; an existing empty folder is fine. @errors CannotWrite
[[nodiscard]] Status makeEmptyFolder(const std::filesystem::path& path);

/// Ignores SIGXFSZ and SIGPIPE, so that a full disk or a closed pipe arrives as a write error.
/// Call once at the start of `main`.
void ignoreWriteSignals();

}  // namespace stagelane
