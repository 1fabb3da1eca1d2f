#pragma once

/// Reads Chrome trace events from a ByteSource. Internal to profiler/formats.

#include <string>

#include "engine/base/result.h"
#include "profiler/formats/byte_source.h"
#include "profiler/formats/perfetto.h"

namespace stagelane::formats::detail {

/// Errors contain `name`. @errors Invalid if nothing is readable, with the byte offset
[[nodiscard]] Result<ReadTrace> readChromeSource(ByteSource& source, const std::string& name,
                                                 Keep keep = Keep::Trace);

}  // namespace stagelane::formats::detail
