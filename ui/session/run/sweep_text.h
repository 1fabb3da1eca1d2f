#pragma once

/// What is said of a sweep and its points.

#include <QString>

#include "ui/session/run/sweep_view.h"

namespace stagelane::ui {

/// A point that has all its repeats, or was ended early; others that have some have only begun.
[[nodiscard]] bool isMeasured(const SweepPoint& point);
/// "best so far: gpipe s5, 12 ± 1 µs a sample"; without "so far" once the sweep is over; empty
/// before the first repeat.
[[nodiscard]] QString sweepBestText(const SweepView& view);
/// "running", "paused", "interrupted", "canceled", "done".
[[nodiscard]] QString sweepStateText(SweepState state);
/// "gpipe s5: predicted 12 µs a sample, measured 11 ± 1 µs, n = 3 of 10", and why it ended early.
[[nodiscard]] QString sweepPointText(const SweepPoint& point);

}  // namespace stagelane::ui
