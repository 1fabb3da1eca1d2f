#pragma once

/// The breakdown of a step from the index of its trace. Internal to profiler/analysis.

#include <vector>

#include "profiler/analysis/awaited.h"

namespace stagelane::analysis::detail {

/// A device's compute in a step, by start, with increasing ends. Events of zero length are included
/// only if what they waited for counts.
[[nodiscard]] std::vector<Busy> computeInStep(const TraceIndex& index, std::size_t device,
                                              const trace::Step& step);

[[nodiscard]] StepBreakdown breakDown(const TraceIndex& index, const trace::Step& step);

}  // namespace stagelane::analysis::detail
