#pragma once

/// Memory sets of a GPU in a trace. They are `copy` events, because they share the copies' place on
/// a stream and their launches, but they move no data.

#include <string_view>

#include "engine/trace/trace.h"

namespace stagelane::trace {

inline constexpr std::string_view kMemorySetWord = "gpu_memset";

[[nodiscard]] inline bool isMemorySet(const EventView& event) {
  return event.category == Category::Copy && event.categoryWord == kMemorySetWord;
}

}  // namespace stagelane::trace
