#pragma once

/// Formats fields of comma-separated tables.

#include <string>
#include <string_view>

namespace stagelane {

/// Formats a text field as RFC 4180 does: quoted where needed, quotes doubled. A spreadsheet would
/// run text that begins with `=`, `+`, `-` or `@` (or with a tab or a line break before one) as a
/// formula, so such text gets an apostrophe in front; so does text that begins with an apostrophe,
/// which makes the first apostrophe of a field always one to remove. Not for numbers.
/// @source OWASP, "CSV Injection"
[[nodiscard]] std::string csvField(std::string_view text);

}  // namespace stagelane
