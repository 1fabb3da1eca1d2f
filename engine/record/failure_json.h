#pragma once

/// A failure as a member of result.json and of event lines.

#include "engine/base/failure.h"
#include "engine/base/json.h"

namespace stagelane::record {

/// `{kind, variant, device, stage, micro_batch, action}`; unknown members are left out.
[[nodiscard]] Json failureToJson(const Failure& failure);

/// Members of a wrong type, and kinds of a later version, count as unknown. Empty for other JSON.
[[nodiscard]] std::optional<Failure> failureFromJson(const Json& json);

}  // namespace stagelane::record
