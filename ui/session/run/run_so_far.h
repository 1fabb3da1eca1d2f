#pragma once

/// A run that has not ended: what its repeats so far say. Pure.

#include "ui/session/run/earlier_results.h"

namespace stagelane::ui {

/// The run with speed-ups from the repeats so far, by the rule of the engine, which computes them
/// when a run ends; the same run where it has them.
[[nodiscard]] RunResultPtr withSpeedupsSoFar(const RunResultPtr& run);

/// The same without the variants that were not included: pictures have no place for them.
[[nodiscard]] RunResultPtr pictured(const RunResultPtr& run);

}  // namespace stagelane::ui
