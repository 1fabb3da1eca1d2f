#include "app/engine_client/event_members.h"

namespace stagelane::app {
namespace {

/// Null if there is no such member.
const Json* memberOf(const Json& json, const char* key) {
  if (!json.is_object()) return nullptr;
  const auto found = json.find(key);
  return found == json.end() ? nullptr : &*found;
}

}  // namespace

std::string textAt(const Json& json, const char* key) {
  const Json* member = memberOf(json, key);
  return member != nullptr && member->is_string() ? member->get<std::string>() : std::string{};
}

double numberAt(const Json& json, const char* key, double fallback) {
  const Json* member = memberOf(json, key);
  return member != nullptr && member->is_number() ? member->get<double>() : fallback;
}

bool flagAt(const Json& json, const char* key, bool fallback) {
  const Json* member = memberOf(json, key);
  return member != nullptr && member->is_boolean() ? member->get<bool>() : fallback;
}

}  // namespace stagelane::app
