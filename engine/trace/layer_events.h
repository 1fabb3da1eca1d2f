#pragma once

/// Layers in a trace: events around the operators of a layer, in its forward and in its backward,
/// of the category word `layer` and named by the layer's dotted path.

#include <string_view>

#include "engine/trace/trace.h"

namespace stagelane::trace {

inline constexpr std::string_view kLayerWord = "layer";

[[nodiscard]] inline bool isLayer(const EventView& event) {
  return event.category == Category::Other && event.categoryWord == kLayerWord;
}

}  // namespace stagelane::trace
