#pragma once

/// Turns with operators (or kernels) recorded, each beside a timed turn of the same variant: what
/// they showed, and what recording costs. Their times are never those of the variant.

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "engine/run/engine.h"
#include "engine/run/measure/measure.h"
#include "engine/trace/trace_builder.h"

namespace stagelane::run {

struct RecordedTurns {
  RepeatMeasurement last;                          ///< the last recorded repeat
  trace::TracePtr captured;                        ///< what was recorded in it
  std::string problem;                             ///< why something is missing there, or ""
  std::vector<std::pair<double, double>> seconds;  ///< of each pair: without, with recording
};

/// The repeat's number in traces: behind the timed ones.
[[nodiscard]] int recordedRepeat(const plan::Experiment& experiment);

/// Adds the captured events and their tracks, how many are missing, and why (trace::kLostReasonKey;
/// "" says nothing).
void addCaptured(trace::TraceBuilder& builder, const trace::Trace& captured,
                 const std::string& problem);

/// What one ActionRecord costs a worker: two clock reads and a place in a buffer. Measured now.
[[nodiscard]] double actionCostNs();

/// Percent of the repeat's time that its events cost.
/// @param events of one repeat, by all devices one after the other: an upper bound
[[nodiscard]] double overheadPct(double events, double eventCostNs, double repeatSeconds);

/// The 95 % confidence interval of the mean of (with − without) / without, in percent; nothing for
/// fewer than two pairs. Student's t, since the pairs are few.
[[nodiscard]] std::optional<std::pair<double, double>> overheadInterval(
    const std::vector<std::pair<double, double>>& seconds);

}  // namespace stagelane::run
