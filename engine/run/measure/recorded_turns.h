#pragma once

/// Turns with operators (or kernels) recorded, each paired with a timed turn of the same variant:
/// their data and the overhead of recording. Their times never count for the variant.

#include <optional>
#include <utility>
#include <vector>

#include "engine/run/engine.h"
#include "engine/run/measure/measure.h"
#include "engine/trace/trace_builder.h"

namespace stagelane::run {

struct RecordedTurns {
  RepeatMeasurement last;                          ///< the last recorded repeat
  trace::TracePtr captured;                        ///< its captured events
  std::string problem;                             ///< why data is missing, or ""
  std::vector<std::pair<double, double>> seconds;  ///< of each pair: without, with recording
};

/// The repeat's number in traces, after the timed ones.
[[nodiscard]] int recordedRepeat(const plan::Experiment& experiment);

/// Adds the captured events and their tracks, the number of missing events, and the reason
/// (trace::kLostReasonKey; "" for none).
void addCaptured(trace::TraceBuilder& builder, const trace::Trace& captured,
                 const std::string& problem);

/// Cost of one ActionRecord for a worker: two clock reads and a buffer entry, measured anew.
[[nodiscard]] double actionCostNs();

/// Percentage of the repeat's time spent on recording events.
/// @param events of one repeat, as if all devices ran sequentially: an upper bound
[[nodiscard]] double overheadPct(double events, double eventCostNs, double repeatSeconds);

/// The 95 % confidence interval of the mean of (with − without) / without, in percent; empty for
/// fewer than two pairs. Uses Student's t, because the pairs are few.
[[nodiscard]] std::optional<std::pair<double, double>> overheadInterval(
    const std::vector<std::pair<double, double>>& seconds);

}  // namespace stagelane::run
