#pragma once

/// The JSON schema of experiment files, which editors use to check and complete them.

#include "engine/base/json.h"
#include "engine/base/result.h"

namespace stagelane::plan {

/// resources/experiment.schema.json with the names of the available strategies and schedules.
/// @errors Invalid if it lacks the keys for them
[[nodiscard]] Result<Json> withNames(Json schema);

}  // namespace stagelane::plan
