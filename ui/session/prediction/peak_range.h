#pragma once

/// The error bar of a predicted peak of memory: by how much predictions of this model were off in
/// the workspace's runs, where enough peaks were measured; else what the plan itself bounds it by.

#include <QString>

#include "engine/workspace/peak_history.h"
#include "ui/session/prediction/prediction.h"

namespace stagelane::ui {

/// With fewer measured peaks than these, the bounds of the plan are the error bar.
inline constexpr int kFewestMeasuredPeaks = 3;

struct PeakRange {
  Bytes low = 0;
  Bytes high = 0;
  /// What it comes from; no devices: the plan's own bounds.
  workspace::PeakRatios measured;
  [[nodiscard]] bool known() const { return high > 0; }
};

/// Contains the predicted peak. Unknown for a device that the plan does not use.
[[nodiscard]] PeakRange peakRangeOf(const plan::Experiment& experiment,
                                    const PlanPrediction& prediction, const DeviceId& device,
                                    const workspace::PeakHistory& history);

/// "1.10 GiB to 1.35 GiB".
[[nodiscard]] QString peakRangeText(const PeakRange& range);
/// Where it comes from, in a sentence, and what would make it narrower.
[[nodiscard]] QString peakRangeMeaning(const PeakRange& range);
/// The same in a few words: "5 peaks of 2 runs", "bounds of the plan".
[[nodiscard]] QString peakRangeSource(const PeakRange& range);

}  // namespace stagelane::ui
