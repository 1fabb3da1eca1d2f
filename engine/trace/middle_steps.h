#pragma once

/// The median of steps. Of an even number it lies between two of them: the figure is their mean,
/// and whoever needs a step that really was takes one of the two and says which.

#include <cstddef>
#include <string>
#include <vector>

#include "engine/trace/trace.h"

namespace stagelane::trace {

/// Indices of the steps in the middle by duration: one of an odd number, two of an even one, the
/// shorter first. Of the timed steps, or of all where none is timed; empty for no steps.
[[nodiscard]] std::vector<std::size_t> middleSteps(const std::vector<Step>& steps);

/// The median duration; 0 for no steps. @units ns
[[nodiscard]] TimeNs medianDurationNs(const std::vector<Step>& steps);

/// Metadata of a measured trace that holds one of two steps in the middle: the median of both, in
/// nanoseconds. Without it the median of a trace's steps is that of the measurement.
inline const std::string kMedianStepKey = "median_step_ns";

/// That median, or 0 where the trace has none that differs from its own steps. @units ns
[[nodiscard]] TimeNs statedMedianNs(const Trace& trace);

}  // namespace stagelane::trace
