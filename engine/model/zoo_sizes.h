#pragma once

/// The sizes that a zoo model takes beside its name, with what they are when they are not said: for
/// forms that ask for them. Reading a definition is zoo.cpp's.

#include <string>
#include <vector>

#include "engine/base/json.h"

namespace stagelane::model {

struct ZooSize {
  std::string key;    ///< of the definition: {"zoo": "gpt", "width": 768}
  std::string label;  ///< for people
  Json fallback;  ///< whole number, share below 1 (a float), or truth value: its type is the size's
};

/// In the order of the description; empty for a model without sizes and an unknown name.
[[nodiscard]] std::vector<ZooSize> zooSizes(const std::string& name);

}  // namespace stagelane::model
