#pragma once

/// The name of a `record_function` that identifies its action, so that traces of other programs can
/// be analyzed by stage: `stagelane F stage=0 micro_batch=3 device=cpu:0`. Internal to
/// profiler/formats.

#include <cstdint>
#include <optional>
#include <string_view>

namespace stagelane::formats::detail {

struct ActionTag {
  std::string_view action;       ///< a word of docs/reference/formats.md, "Categories"
  std::int64_t stage = -1;       ///< -1 if missing
  std::int64_t microBatch = -1;  ///< -1 if missing
  std::string_view device;       ///< "" if missing
};

/// Empty for any other name. Ignores unknown members.
[[nodiscard]] std::optional<ActionTag> parseActionTag(std::string_view name);

}  // namespace stagelane::formats::detail
