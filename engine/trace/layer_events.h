#pragma once

/// Layer events in a trace: they enclose the operators of a layer's forward or backward, have the
/// category word `layer`, and are named by the layer's dotted path.

#include <string_view>

#include "engine/trace/trace.h"

namespace stagelane::trace {

inline constexpr std::string_view kLayerWord = "layer";

[[nodiscard]] inline bool isLayer(const EventView& event) {
  return event.category == Category::Other && event.categoryWord == kLayerWord;
}

}  // namespace stagelane::trace
