#pragma once

/// Members of event lines and answers of the engine, which may be of any type: a program of another
/// version, or a library that prints, must not end this one.

#include <string>

#include "engine/base/json.h"

namespace stagelane::app {

/// The member's text, "" where there is none. @pre none: @p json may be of any kind
[[nodiscard]] std::string textAt(const Json& json, const char* key);
[[nodiscard]] double numberAt(const Json& json, const char* key, double fallback = 0.0);
[[nodiscard]] bool flagAt(const Json& json, const char* key, bool fallback = false);

}  // namespace stagelane::app
