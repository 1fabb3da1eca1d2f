#pragma once

/// Numbers as they are written in traces, Chrome's JSON above all. Internal to profiler/formats.

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/base/ids.h"

namespace stagelane::formats::detail {

/// Without the white space at the end.
[[nodiscard]] std::string_view trimmed(std::string_view token);
/// Without the quotes around it, if there are any.
[[nodiscard]] std::string_view unquoted(std::string_view token);

/// The whole number that a text is, from its first character to its last; else nothing.
[[nodiscard]] std::optional<std::int64_t> wholeNumber(std::string_view text);

/// A number of µs, or a text of one, as ns: exact to the third decimal and rounded there (half
/// away from zero); nothing for what is no number or too large for a trace.
[[nodiscard]] std::optional<TimeNs> nanoseconds(std::string_view token);

}  // namespace stagelane::formats::detail
