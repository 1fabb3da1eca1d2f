#pragma once

/// When a run began, as far as its folder says.

#include <string>

#include "engine/record/run_record.h"

namespace stagelane::workspace {

/// ISO 8601, local: of the folder's name where it begins with a time, else of experiment.json,
/// which is written when a run begins and never again; "" where neither says it.
[[nodiscard]] std::string startOf(const record::RunFolder& folder);

}  // namespace stagelane::workspace
