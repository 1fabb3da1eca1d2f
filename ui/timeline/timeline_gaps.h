#pragma once

/// Walking the gaps of a step: which one comes next, and whether it is visible. Gaps narrower than
/// a few pixels are skipped, so that each key press shows something.

#include <optional>

#include "ui/session/legend_filter.h"
#include "ui/tracks/timeline_axis.h"
#include "ui/tracks/timeline_data.h"

namespace stagelane::ui {

struct GapStep {
  TimelineTarget gap;
  bool zoom = false;        ///< no gap is wide enough to see, so zoom to this one
  std::size_t skipped = 0;  ///< gaps in between that are too narrow to see
};

/// Whether the legend hides every cause of a gap.
[[nodiscard]] bool isHidden(const TimelineData& data, const TimelineTarget& gap,
                            const LegendFilter& filter);

/// The gap after (`direction` +1) or before (−1) the selection, wrapping at the ends; without a
/// selection, relative to the view. Nothing if no gap is shown.
[[nodiscard]] std::optional<GapStep> nextGap(const TimelineData& data, const TimeAxis& axis,
                                             const TimelineTarget& selection, int direction,
                                             const LegendFilter& filter = {});

/// "Skipped 3 gaps too narrow to see (W zooms in)", "" for none.
[[nodiscard]] QString skippedText(const GapStep& step);

}  // namespace stagelane::ui
