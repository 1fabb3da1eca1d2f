#pragma once

/// Finds and reads the trace of an argument: a trace file or a run folder.

#include <filesystem>
#include <string>

#include "engine/base/result.h"
#include "profiler/formats/perfetto.h"

namespace stagelane::app {

/// The trace file of `argument`: a file, or a run folder in which `variant` selects the trace.
/// @errors Invalid, with the available variants
[[nodiscard]] Result<std::filesystem::path> resolveTrace(const std::string& argument,
                                                         const std::string& variant);
/// Reads a trace of any supported format. @errors Invalid with the byte offset where known
[[nodiscard]] Result<formats::ReadTrace> readTrace(const std::filesystem::path& path,
                                                   formats::Keep keep = formats::Keep::Trace);

/// Does both, and warns on standard error about records that cannot be read.
[[nodiscard]] Result<formats::ReadTrace> openTrace(const std::string& argument,
                                                   const std::string& variant,
                                                   formats::Keep keep = formats::Keep::Trace);

}  // namespace stagelane::app
