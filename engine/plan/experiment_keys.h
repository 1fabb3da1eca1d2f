#pragma once

/// The allowed keys of an experiment file, per object. The schema in resources/ lists the same.

#include <string>
#include <vector>

#include "engine/base/json.h"
#include "engine/base/result.h"

namespace stagelane::plan {

enum class KeysOf { Experiment, Input, Data, Optimizer, Device, Variant };
[[nodiscard]] const std::vector<std::string>& knownKeys(KeysOf object);

/// Checks that `value` is an object with known keys only.
/// @errors Invalid with the pointer of the first unknown key and the nearest known one
[[nodiscard]] Status checkKeys(const Json& value, KeysOf object, const std::string& pointer);

}  // namespace stagelane::plan
