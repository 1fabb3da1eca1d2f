#include "engine/base/text_member.h"

namespace stagelane {

std::string textMember(const Json& object, std::string_view key, std::string_view fallback) {
  if (object.is_object()) {
    const auto found = object.find(std::string(key));
    if (found != object.end() && found->is_string()) return found->get<std::string>();
  }
  return std::string(fallback);
}

}  // namespace stagelane
