#pragma once

/// The measures of Holistic Trace Analysis (HTA) 0.5.0 on a Kineto JSON file: temporal breakdown,
/// overlap of communication and computation, idle time by cause, queue length. They are HTA's own
/// definitions, taken from what HTA returns (docs/reference/analysis.md says them), and answer for
/// the file as one GPU; Stagelane's own figures are in idle.h. HTA reads events that a Trace does
/// not keep (its rows, correlations and row numbers), so the bytes of the file are read here.

#include <string>

#include "engine/base/json.h"
#include "engine/base/result.h"

namespace stagelane::analysis {

enum class LastProfilerStep {
  Dropped,   ///< HTA's default: with two or more `ProfilerStep#`, what the last one launched is out
  Included,  ///< HTA's include_last_profiler_step
};

/// `temporal`, `overlap`, `idle`, `queue`; a part for which HTA raises is `{"exception",
/// "message"}` and a file that HTA cannot load has only `load`. With several devices in the file
/// also `per_device` (the parts of each one) and `warning`.
/// @units microseconds, as in the file
/// @source HolisticTraceAnalysis 0.5.0 (trace_parser, trace, breakdown_analysis,
/// communication_analysis, trace_counters), checked against its answers
[[nodiscard]] Json analyzeHta(std::string bytes,
                              LastProfilerStep lastStep = LastProfilerStep::Dropped);

}  // namespace stagelane::analysis
