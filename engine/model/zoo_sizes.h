#pragma once

/// The sizes of the zoo models with their defaults, for forms. zoo.cpp reads the definitions.

#include <string>
#include <vector>

#include "engine/base/json.h"

namespace stagelane::model {

struct ZooSize {
  std::string key;    ///< of the definition: {"zoo": "gpt", "width": 768}
  std::string label;  ///< for people
  Json fallback;      ///< integer, fraction below 1 (a float), or boolean: the type of the size
};

/// In the order of the description; empty for a model without sizes and an unknown name.
[[nodiscard]] std::vector<ZooSize> zooSizes(const std::string& name);

}  // namespace stagelane::model
