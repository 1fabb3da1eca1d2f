#pragma once

/// Interim results of a run in progress. Pure.

#include "ui/session/run/earlier_results.h"

namespace stagelane::ui {

/// The run with speed-ups from its repeats so far, by the engine's rule, which applies at the end
/// of a run; unchanged if it has them.
[[nodiscard]] RunResultPtr withSpeedupsSoFar(const RunResultPtr& run);

/// Without variants that are not included, which charts omit.
[[nodiscard]] RunResultPtr pictured(const RunResultPtr& run);

}  // namespace stagelane::ui
