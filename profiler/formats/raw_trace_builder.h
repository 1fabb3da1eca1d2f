#pragma once

/// Converts what an importer has read to a Trace. Internal to profiler/formats.

#include "profiler/formats/raw_records.h"

namespace stagelane::formats::detail {

/// Open slices are lost. Moves slices and details out of `raw`.
[[nodiscard]] ReadTrace buildTrace(RawRecords& raw);

}  // namespace stagelane::formats::detail
