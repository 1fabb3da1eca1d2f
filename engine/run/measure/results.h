#pragma once

/// From the repeats of all variants to their results: statistics, trace, bound, prediction, and the
/// speed-ups against the base of the run.

#include <optional>
#include <string>
#include <vector>

#include "engine/run/engine.h"
#include "engine/run/measure/variant_run.h"

namespace stagelane::run {

/// One timed repeat of a variant.
[[nodiscard]] trace::TracePtr traceOf(const VariantRun& run, const RepeatMeasurement& repeat,
                                      TimeNs originNs);

/// Fills what follows from a variant's own repeats. Without a repeat nothing is filled.
/// @errors Invalid when the schedule cannot be simulated
[[nodiscard]] Status fillMeasured(const plan::Experiment& experiment, const RunPorts& ports,
                                  TimeNs originNs, VariantRun& run);

/// The base of the speed-ups, by `plan::speedupBase` of what was measured. Null when there is none.
[[nodiscard]] const VariantRun* baseOf(const std::vector<VariantRun>& runs);

/// Fills speed-ups (of median times) and the bounds' speed-ups (of median steps).
void fillSpeedups(std::vector<VariantRun>& runs);

}  // namespace stagelane::run
