#pragma once

/// Text for a terminal. Names and messages come from files and may contain control characters,
/// which would move the cursor, change colors or forge lines; they are shown as symbols instead.
/// Not for JSON and files, which keep every byte.

#include <string>
#include <string_view>

namespace stagelane {

/// Text for a part of one line: control characters and line breaks become their symbols (␛, ␊),
/// what is not valid UTF-8 or has no symbol becomes U+FFFD. Each takes one column.
[[nodiscard]] std::string visible(std::string_view text);

/// The same for text of several lines: line breaks and tabs stay.
[[nodiscard]] std::string visibleLines(std::string_view text);

}  // namespace stagelane
