#pragma once

/// Parses numbers in traces, mainly Chrome JSON. Internal to profiler/formats.

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/base/ids.h"

namespace stagelane::formats::detail {

/// The text without trailing white space.
[[nodiscard]] std::string_view trimmed(std::string_view token);
/// The text without its quotes, if any.
[[nodiscard]] std::string_view unquoted(std::string_view token);

/// The integer of a text; empty if the text has any other characters.
[[nodiscard]] std::optional<std::int64_t> wholeNumber(std::string_view text);

/// A number of µs, or a string with one, as ns, rounded at the third decimal (half away from zero);
/// empty if it is not a number or is too large for a trace.
[[nodiscard]] std::optional<TimeNs> nanoseconds(std::string_view token);

}  // namespace stagelane::formats::detail
