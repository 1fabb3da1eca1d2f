#pragma once

/// The devices' times in the median step. For an even number of steps, these are the means over the
/// two middle steps, which also add up to the median.

#include "profiler/analysis/idle.h"

namespace stagelane::analysis {

/// The breakdown of the middle step, or the means over two, without `pieces`. No devices for a
/// trace without steps.
[[nodiscard]] StepBreakdown medianBreakdown(const trace::Trace& trace);

}  // namespace stagelane::analysis
