#pragma once

/// Traces written by hand, an action a line, for the tests of the analysis.

#include <cstdint>
#include <string>
#include <vector>

#include "engine/trace/trace.h"
#include "profiler/analysis/idle.h"

namespace stagelane::analysis::test {

struct Line {
  std::int32_t device = 0;
  trace::Category category = trace::Category::Forward;
  std::int32_t stage = -1;
  std::int32_t microBatch = -1;
  TimeNs startNs = 0;
  TimeNs endNs = 0;
  std::int32_t peer = -1;
};

/// Devices are named d0, d1, …; compute goes to a track `compute`, all else to `copy`.
[[nodiscard]] trace::TracePtr handMade(std::int32_t devices, const std::vector<Line>& lines);

/// The breakdown of the first step.
[[nodiscard]] StepBreakdown breakDownFirst(const trace::Trace& trace);

[[nodiscard]] TimeNs causeOf(const StepBreakdown& breakdown, std::size_t device, Cause cause);

/// Pieces tile the step, are not empty, and sum to the causes; fails the test otherwise.
void expectTiles(const StepBreakdown& breakdown);

}  // namespace stagelane::analysis::test
