#pragma once

/// Texts about a sweep and its points.

#include <QString>

#include "ui/session/run/sweep_view.h"

namespace stagelane::ui {

/// A point with all its repeats or ended early, as opposed to one in progress.
[[nodiscard]] bool isMeasured(const SweepPoint& point);
/// "best so far: gpipe s5, 12 ± 1 µs per sample"; without "so far" after the sweep; empty before
/// the first repeat.
[[nodiscard]] QString sweepBestText(const SweepView& view);
/// "running", "paused", "interrupted", "canceled", "done", "failed".
[[nodiscard]] QString sweepStateText(SweepState state);
/// "gpipe s5: predicted 12 µs per sample, measured 11 ± 1 µs, n = 3 of 10", and why it ended early.
[[nodiscard]] QString sweepPointText(const SweepPoint& point);

}  // namespace stagelane::ui
