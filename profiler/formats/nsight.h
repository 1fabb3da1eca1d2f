#pragma once

/// Reports of Nsight Systems as its SQLite export holds them (`nsys export --type sqlite`). Opened
/// read-only; the tables that are there are read with the columns that they have, since both differ
/// from version to version. docs/reference/formats.md lists them.

#include <filesystem>
#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "profiler/formats/perfetto.h"
#include "profiler/formats/read_progress.h"

namespace stagelane::formats {

/// @errors Invalid when it is no database, or holds none of the tables
[[nodiscard]] Result<ReadTrace> readNsight(const std::filesystem::path& path,
                                           ReadProgress* progress = nullptr);
/// The same from memory; `source` is named in errors.
[[nodiscard]] Result<ReadTrace> parseNsight(std::string_view bytes, const std::string& source);

}  // namespace stagelane::formats
