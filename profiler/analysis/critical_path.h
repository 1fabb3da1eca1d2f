#pragma once

/// The critical path of a step. Internal to profiler/analysis.

#include <vector>

#include "profiler/analysis/analyzer.h"
#include "profiler/analysis/breakdown.h"

namespace stagelane::analysis::detail {

[[nodiscard]] std::vector<PathPiece> criticalPath(const TraceIndex& index,
                                                  const StepBreakdown& breakdown);

}  // namespace stagelane::analysis::detail
