#pragma once

/// From what a person names (a trace file, a run folder) to a trace.

#include <filesystem>
#include <string>

#include "engine/base/result.h"
#include "profiler/formats/perfetto.h"

namespace stagelane::app {

/// The trace file that `argument` means: itself, or the one of a run folder. `variant` chooses
/// among several. @errors Invalid, with the variants there are
[[nodiscard]] Result<std::filesystem::path> resolveTrace(const std::string& argument,
                                                         const std::string& variant);
/// Reads any trace that this version understands. @errors Invalid with the byte offset where known
[[nodiscard]] Result<formats::ReadTrace> readTrace(const std::filesystem::path& path,
                                                   formats::Keep keep = formats::Keep::Trace);

/// Both of these, with a warning on standard error when some records could not be read.
[[nodiscard]] Result<formats::ReadTrace> openTrace(const std::string& argument,
                                                   const std::string& variant,
                                                   formats::Keep keep = formats::Keep::Trace);

}  // namespace stagelane::app
