#pragma once

/// The measures of Holistic Trace Analysis (HTA) 0.5.0 on a Kineto JSON file: temporal breakdown,
/// overlap of communication and computation, idle time by cause, queue length. They follow HTA's
/// results, not Stagelane's definitions in idle.h (docs/reference/analysis.md describes them), and
/// treat the file as one GPU. This code reads the file's bytes because a Trace does not keep the
/// rows, correlations and row numbers that HTA uses.

#include <string>

#include "engine/base/json.h"

namespace stagelane::analysis {

enum class LastProfilerStep {
  Dropped,   ///< HTA's default: with two or more `ProfilerStep#`, excludes what the last one
             ///< launched
  Included,  ///< HTA's include_last_profiler_step
};

/// `temporal`, `overlap`, `idle`, `queue`; a part for which HTA raises an exception is
/// `{"exception", "message"}`, and a file that HTA cannot load has only `load`. A file with several
/// devices also has `per_device` (the parts of each one) and `warning`.
/// @units microseconds, as in the file
/// @source HolisticTraceAnalysis 0.5.0 (trace_parser, trace, breakdown_analysis,
/// communication_analysis, trace_counters), checked against its results
[[nodiscard]] Json analyzeHta(std::string bytes,
                              LastProfilerStep lastStep = LastProfilerStep::Dropped);

}  // namespace stagelane::analysis
