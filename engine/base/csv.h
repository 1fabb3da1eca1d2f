#pragma once

/// Fields of comma-separated tables.

#include <string>
#include <string_view>

namespace stagelane {

/// As RFC 4180 writes it: quoted where needed, quotes doubled.
[[nodiscard]] std::string csvField(std::string_view text);

}  // namespace stagelane
