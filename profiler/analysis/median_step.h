#pragma once

/// What the devices did in the median step. Of an even number of steps there is no such step: the
/// figures are the means over the two in the middle, and add up to the median as a step's do.

#include "profiler/analysis/idle.h"

namespace stagelane::analysis {

/// The breakdown of the step in the middle, or the means over the two; `pieces` are those of a real
/// step, so they are empty for two. No devices for a trace without steps.
[[nodiscard]] StepBreakdown medianBreakdown(const trace::Trace& trace);

}  // namespace stagelane::analysis
