#pragma once

/// Safe access to members of the engine's events and output, whose types may differ if the engine
/// has another version or a library prints.

#include <string>

#include "engine/base/json.h"

namespace stagelane::app {

/// The member's text, or "". @p json may have any type.
[[nodiscard]] std::string textAt(const Json& json, const char* key);
[[nodiscard]] double numberAt(const Json& json, const char* key, double fallback = 0.0);
[[nodiscard]] bool flagAt(const Json& json, const char* key, bool fallback = false);

}  // namespace stagelane::app
