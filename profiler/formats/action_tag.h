#pragma once

/// The name of a `record_function` that says which action it stands for, so that the traces of
/// other programs can be analysed by stage: `stagelane F stage=0 micro_batch=3 device=cpu:0`.
/// Internal to profiler/formats.

#include <cstdint>
#include <optional>
#include <string_view>

namespace stagelane::formats::detail {

struct ActionTag {
  std::string_view action;       ///< a word of docs/reference/formats.md, "Categories"
  std::int64_t stage = -1;       ///< -1: not said
  std::int64_t microBatch = -1;  ///< -1: not said
  std::string_view device;       ///< "" for not said
};

/// Nothing for any other name. Unknown members are skipped.
[[nodiscard]] std::optional<ActionTag> parseActionTag(std::string_view name);

}  // namespace stagelane::formats::detail
