#pragma once

/// The JSON schema of experiment files, which editors read to check and complete them.

#include "engine/base/json.h"
#include "engine/base/result.h"

namespace stagelane::plan {

/// resources/experiment.schema.json with the names of strategies and schedules that this version
/// has.
/// @errors Invalid where it has no place for them
[[nodiscard]] Result<Json> withNames(Json schema);

}  // namespace stagelane::plan
