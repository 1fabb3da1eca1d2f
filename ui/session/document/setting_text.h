#pragma once

/// Settings of experiments as people read them, and which of them make runs different work. Pure.

#include <QString>
#include <string>
#include <vector>

#include "engine/base/json.h"

namespace stagelane::ui {

/// A setting in words: "yes", "cpu:0, cpu:1", "sim:0 (like cpu:0, speed 2.0)", "–" for none.
[[nodiscard]] QString settingText(const Json& value);
/// What the window calls a setting; others by their place: "/data/shape" → "data › shape".
[[nodiscard]] QString settingName(const std::string& pointer);

enum class WorkOf { Repeat, Sample };
/// "models, inputs and batch sizes": in what the work of a repeat, or of a sample, is not the same
/// in all experiments; empty where it is. @pre one experiment or more
[[nodiscard]] QString differentWork(const std::vector<const Json*>& experiments, WorkOf work);

}  // namespace stagelane::ui
