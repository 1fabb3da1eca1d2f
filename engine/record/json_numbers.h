#pragma once

/// Numbers of results as JSON, which has neither infinities nor NaN: null stands for them.

#include <cmath>
#include <limits>

#include "engine/base/json.h"

namespace stagelane::record {

[[nodiscard]] inline Json numberOrNull(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

/// @throws a nlohmann exception if it is neither a number nor null
[[nodiscard]] inline double numberOrNaN(const Json& json) {
  return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

}  // namespace stagelane::record
