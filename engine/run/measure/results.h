#pragma once

/// Computes results from the repeats of all variants: statistics, trace, bound, prediction, and the
/// speed-ups against the base of the run.

#include <vector>

#include "engine/run/engine.h"
#include "engine/run/measure/variant_run.h"

namespace stagelane::run {

/// The trace of one timed repeat of a variant.
[[nodiscard]] trace::TracePtr traceOf(const VariantRun& run, const RepeatMeasurement& repeat,
                                      TimeNs originNs);

/// Fills the results that depend on a variant's own repeats only. Does nothing without a repeat.
/// @errors Invalid if the schedule cannot be simulated
[[nodiscard]] Status fillMeasured(const plan::Experiment& experiment, const RunPorts& ports,
                                  TimeNs originNs, VariantRun& run);

/// The base of the speed-ups, by `plan::speedupBase` of the measurements. Null if there is none.
[[nodiscard]] const VariantRun* baseOf(const std::vector<VariantRun>& runs);

/// Fills speed-ups (of median times, per sample where variants train different numbers of samples)
/// and the bounds' speed-ups (of median steps).
void fillSpeedups(const plan::Experiment& experiment, std::vector<VariantRun>& runs);

}  // namespace stagelane::run
