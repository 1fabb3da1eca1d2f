#pragma once

/// Text in JSON that anybody may have written: any member may be missing or of another type.

#include <string>
#include <string_view>

#include "engine/base/json.h"

namespace stagelane {

/// The text of a member; `fallback` if it is not a string.
[[nodiscard]] inline std::string textMember(const Json& object, std::string_view key,
                                            std::string_view fallback = {}) {
  const auto found = object.find(std::string(key));
  return std::string(found != object.end() && found->is_string()
                         ? std::string_view(found->get_ref<const std::string&>())
                         : fallback);
}

}  // namespace stagelane
