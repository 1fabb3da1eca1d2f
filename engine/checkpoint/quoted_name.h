#pragma once

/// Names and words of files in messages. Anybody may have written them, so they can be megabytes
/// long.

#include <string>
#include <string_view>

namespace stagelane::checkpoint {

/// UTF-8 text in quotation marks; the middle of a very long one is left out.
[[nodiscard]] std::string quotedName(std::string_view name);

}  // namespace stagelane::checkpoint
