#pragma once

/// Reads Chrome trace events from whatever gives bytes. Internal to profiler/formats.

#include <string>

#include "engine/base/result.h"
#include "profiler/formats/byte_source.h"
#include "profiler/formats/perfetto.h"

namespace stagelane::formats::detail {

/// `name` is named in errors. @errors Invalid when nothing is readable, with the byte offset
[[nodiscard]] Result<ReadTrace> readChromeSource(ByteSource& source, const std::string& name,
                                                 Keep keep = Keep::Trace);

}  // namespace stagelane::formats::detail
