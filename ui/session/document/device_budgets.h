#pragma once

/// The memory budgets of an experiment's devices. Pure.

#include <map>
#include <string>

#include "engine/base/ids.h"
#include "engine/base/json.h"

namespace stagelane::ui {

/// Device → `max_memory`; omits devices without one and values that cannot be read.
[[nodiscard]] std::map<std::string, Bytes> deviceBudgets(const Json& experiment);

}  // namespace stagelane::ui
