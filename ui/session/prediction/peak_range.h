#pragma once

/// The error bar of a predicted memory peak: from the errors of earlier predictions of this model
/// if enough peaks were measured, else the bounds of the plan itself.

#include <QString>

#include "engine/workspace/peak_history.h"
#include "ui/session/prediction/prediction.h"

namespace stagelane::ui {

/// With fewer measured peaks, the bounds of the plan are used.
inline constexpr int kFewestMeasuredPeaks = 3;

struct PeakRange {
  Bytes low = 0;
  Bytes high = 0;
  /// its source; no devices: the plan's own bounds
  workspace::PeakRatios measured;
  [[nodiscard]] bool known() const { return high > 0; }
};

/// Contains the predicted peak. Unknown for a device that the plan does not use.
[[nodiscard]] PeakRange peakRangeOf(const plan::Experiment& experiment,
                                    const PlanPrediction& prediction, const DeviceId& device,
                                    const workspace::PeakHistory& history);

/// Estimates below this leave out more than they say: workspaces of operators, and what the
/// allocator rounds up.
inline constexpr Bytes kLeastEstimatedPeak = Bytes{1} << 20;
/// "1.10 GiB", or "below 1 MiB" for a smaller estimate.
[[nodiscard]] QString predictedPeakText(predict::Basis basis, Bytes peak);
/// With what the device may use: "1.1 / 8 GiB".
[[nodiscard]] QString predictedPeakText(predict::Basis basis, Bytes peak, Bytes budget,
                                        const QString& separator);

/// "1.10 GiB to 1.35 GiB".
[[nodiscard]] QString peakRangeText(const PeakRange& range);
/// Its source in a sentence, and how to narrow it.
[[nodiscard]] QString peakRangeMeaning(const PeakRange& range);
/// Its source in a few words: "5 peaks of 2 runs", "bounds of the plan".
[[nodiscard]] QString peakRangeSource(const PeakRange& range);

}  // namespace stagelane::ui
