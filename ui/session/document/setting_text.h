#pragma once

/// Display texts of experiment settings, and which settings make runs do different work. Pure.

#include <QString>
#include <string>
#include <vector>

#include "engine/base/json.h"

namespace stagelane::ui {

/// A setting in words: "yes", "cpu:0, cpu:1", "sim:0 (like cpu:0, speed 2)", "–" for none.
[[nodiscard]] QString settingText(const Json& value);
/// The window's name of a setting; other settings by path: "/data/shape" → "data › shape".
[[nodiscard]] QString settingName(const std::string& pointer);

enum class WorkOf { Repeat, Sample };
/// "models, inputs and batch sizes": the settings by which the work of a repeat, or of a sample,
/// differs between the experiments; empty for none. @pre one experiment or more
[[nodiscard]] QString differentWork(const std::vector<const Json*>& experiments, WorkOf work);

}  // namespace stagelane::ui
