#pragma once

/// Reads SQLite exports of Nsight Systems reports (`nsys export --type sqlite`), read-only. Missing
/// tables and columns are allowed, because both differ between versions. docs/reference/formats.md
/// lists them.

#include <filesystem>
#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "profiler/formats/perfetto.h"
#include "profiler/formats/read_progress.h"

namespace stagelane::formats {

/// @errors Invalid if it is not a database, or has none of the tables
[[nodiscard]] Result<ReadTrace> readNsight(const std::filesystem::path& path,
                                           ReadProgress* progress = nullptr);
/// The same from memory; `source` is named in errors.
[[nodiscard]] Result<ReadTrace> parseNsight(std::string_view bytes, const std::string& source);

}  // namespace stagelane::formats
