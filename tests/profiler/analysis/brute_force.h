#pragma once

/// The rules of profiler/analysis/idle.h again, one nanosecond at a time, with plain loops over all
/// events: slow, but short enough to be checked by reading. For small times only.

#include <vector>

#include "profiler/analysis/idle.h"

namespace stagelane::analysis::test {

struct Moment {
  Cause cause = Cause::Unattributed;
  std::int32_t blamed = -1;
  friend bool operator==(const Moment&, const Moment&) = default;
};

/// The activity of one device in each nanosecond of the step.
[[nodiscard]] std::vector<Moment> bruteForce(const trace::Trace& trace, const trace::Step& step,
                                             std::int32_t device);

/// The pieces of a breakdown in the same form.
[[nodiscard]] std::vector<Moment> momentsOf(const StepBreakdown& breakdown, std::int32_t device);

}  // namespace stagelane::analysis::test
