#pragma once

/// Start time of a run, derived from its folder.

#include <string>

#include "engine/record/run_record.h"

namespace stagelane::workspace {

/// ISO 8601, local: from the folder's name if it begins with a time, else from experiment.json,
/// which is written once at the start; "" if neither is available.
[[nodiscard]] std::string startOf(const record::RunFolder& folder);

}  // namespace stagelane::workspace
