#pragma once

/// Formats fields of comma-separated tables.

#include <string>
#include <string_view>

namespace stagelane {

/// Formats a field as RFC 4180 does: quoted where needed, quotes doubled.
[[nodiscard]] std::string csvField(std::string_view text);

}  // namespace stagelane
