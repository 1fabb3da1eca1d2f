#pragma once

/// The median of steps. For an even count, the median is the mean of the two middle steps; a caller
/// that needs an actual step picks one of the two and reports which.

#include <cstddef>
#include <string>
#include <vector>

#include "engine/trace/trace.h"

namespace stagelane::trace {

/// Indices of the middle steps by duration: one for an odd count, two for an even one, the shorter
/// first. Considers the timed steps, or all if none is timed; empty for no steps.
[[nodiscard]] std::vector<std::size_t> middleSteps(const std::vector<Step>& steps);

/// The median duration; 0 for no steps. @units ns
[[nodiscard]] TimeNs medianDurationNs(const std::vector<Step>& steps);

/// Metadata key of a measured trace that holds one of two middle steps: the median of both, in
/// nanoseconds. Without it the trace's own steps give the median.
inline const std::string kMedianStepKey = "median_step_ns";

/// That median, or 0 if the trace does not state one. @units ns
[[nodiscard]] TimeNs statedMedianNs(const Trace& trace);

}  // namespace stagelane::trace
