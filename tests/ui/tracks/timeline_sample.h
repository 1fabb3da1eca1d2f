#pragma once

/// Traces made by hand for the tests of the timeline's models.

#include <string>
#include <vector>

#include "engine/trace/trace.h"
#include "ui/tracks/timeline_data.h"

namespace stagelane::ui::sample {

struct Slice {
  TimeNs start = 0;
  TimeNs duration = 0;
  trace::Category category = trace::Category::Forward;
  int stage = 0;
  int microBatch = 0;
};

/// A trace of compute tracks, `slices[d]` on "cpu:D"; one step from 0 to `endNs`.
[[nodiscard]] trace::TracePtr traceOf(const std::vector<std::vector<Slice>>& slices, TimeNs endNs);
/// Kernels and the like of a stream of "cuda:0"; one step from 0 to `endNs`.
[[nodiscard]] trace::TracePtr kernelsOf(const std::vector<Slice>& slices, TimeNs endNs);
/// F0 F1 on cpu:0 feeding F0 F1 on cpu:1, then B back, then OPT: two workers, 100 µs.
[[nodiscard]] trace::TracePtr twoWorkers();
[[nodiscard]] TimelineDataPtr dataOf(trace::TracePtr trace, trace::TracePtr predicted = nullptr);

}  // namespace stagelane::ui::sample
