#pragma once

/// Maps words to categories of events. Internal to profiler/formats.

#include <string_view>
#include <utility>

#include "engine/trace/trace.h"

namespace stagelane::formats::detail {

/// Kineto's words, else Stagelane's; Other if unknown.
[[nodiscard]] inline trace::Category categoryOfWord(std::string_view word) {
  using trace::Category;
  constexpr std::pair<std::string_view, Category> kWords[] = {
      {"cpu_op", Category::Operator}, {"gpu_memcpy", Category::Copy},
      {"gpu_memset", Category::Copy}, {"concurrent_kernel", Category::Kernel},
      {"cuda_sync", Category::Sync},
  };
  for (const auto& [theirs, ours] : kWords) {
    if (word == theirs) return ours;
  }
  return trace::categoryFromWord(word);
}

/// Rows of a GPU's stream, in Kineto's words or ours.
[[nodiscard]] inline bool isStreamWord(std::string_view word) {
  return word == "kernel" || word == "gpu_memcpy" || word == "gpu_memset";
}

}  // namespace stagelane::formats::detail
