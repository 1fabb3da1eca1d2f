#pragma once

/// What the devices of an experiment file may hold. Pure.

#include <map>
#include <string>

#include "engine/base/ids.h"
#include "engine/base/json.h"

namespace stagelane::ui {

/// Device → `max_memory`; devices without one, and what cannot be read, are left out.
[[nodiscard]] std::map<std::string, Bytes> deviceBudgets(const Json& experiment);

}  // namespace stagelane::ui
