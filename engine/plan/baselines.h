#pragma once

/// The base variant of speed-ups, for predictions and results, and the names of the variants that
/// the product adds for it. Times come from the caller.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stagelane::plan {

/// The whole model on one worker with the threads of all. Results report a separate speed-up
/// against it; it is never the base.
inline constexpr std::string_view kAllCoresId = "single-all-cores";
inline constexpr std::string_view kAllCoresName = "single, all cores";
/// The id of the single-device variant with micro-batches of `split` samples.
[[nodiscard]] std::string baselineId(std::int64_t split);
/// Ids reserved for implicit variants: `single-all-cores` and `baseline-mbN`.
[[nodiscard]] bool isImplicitId(std::string_view id);

/// A possible base of speed-ups; `strategy` is its word.
struct BaseCandidate {
  std::string_view id;
  std::string_view strategy;
};
/// The fastest single device, including micro-batched baselines; if none has a time, the fastest
/// model-parallel variant; else nothing. `timeOf` returns the time of a candidate in any unit, or 0
/// or less if it has none: not measured, not predictable, or too large for its device. It is called
/// only for relevant candidates.
[[nodiscard]] std::optional<std::size_t> speedupBase(
    const std::vector<BaseCandidate>& candidates, const std::function<double(std::size_t)>& timeOf);

}  // namespace stagelane::plan
