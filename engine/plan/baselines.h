#pragma once

/// What speed-ups are said against, in predictions and in results alike, and the names of the
/// variants that the product adds for it. Knows neither times nor memory: it asks for them.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stagelane::plan {

/// The whole model on one worker that has the threads of all; results have a speed-up of its own to
/// it, and it never is the base.
inline constexpr std::string_view kAllCoresId = "single-all-cores";
inline constexpr std::string_view kAllCoresName = "single, all cores";
/// The id of one device with micro-batches of `split` samples.
[[nodiscard]] std::string baselineId(std::int64_t split);
/// Ids of implicit variants, `single-all-cores` and `baseline-mbN`, which no variant of a file may
/// have.
[[nodiscard]] bool isImplicitId(std::string_view id);

/// A variant that others may be compared with; `strategy` is its word.
struct BaseCandidate {
  std::string_view id;
  std::string_view strategy;
};
/// The fastest single device, micro-batched baselines included; where none has a time, the fastest
/// model parallel one; else nothing. `timeOf` is asked for the time of a candidate, in any unit,
/// and only for those that matter; 0 or less where it has none, because it was not measured, cannot
/// be predicted, or does not fit its device.
[[nodiscard]] std::optional<std::size_t> speedupBase(
    const std::vector<BaseCandidate>& candidates, const std::function<double(std::size_t)>& timeOf);

}  // namespace stagelane::plan
