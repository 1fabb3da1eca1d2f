#pragma once

/// Numbers as they are written in Chrome's JSON. Internal to profiler/formats.

#include <optional>
#include <string_view>

#include "engine/base/ids.h"

namespace stagelane::formats::detail {

/// Without the white space at the end.
[[nodiscard]] std::string_view trimmed(std::string_view token);
/// Without the quotes around it, if there are any.
[[nodiscard]] std::string_view unquoted(std::string_view token);

/// A number of µs, or a text of one, as ns: exact to the third decimal and rounded there (half
/// away from zero); nothing for what is no number or too large for a trace.
[[nodiscard]] std::optional<TimeNs> nanoseconds(std::string_view token);

}  // namespace stagelane::formats::detail
