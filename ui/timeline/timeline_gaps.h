#pragma once

/// Walking the gaps of a step: which one comes next, and whether it can be seen at all. Gaps
/// narrower than a few pixels are passed over, so that each press of a key shows something.

#include <optional>

#include "ui/session/legend_filter.h"
#include "ui/tracks/timeline_axis.h"
#include "ui/tracks/timeline_data.h"

namespace stagelane::ui {

struct GapStep {
  TimelineTarget gap;
  bool zoom = false;        ///< no gap is wide enough to be seen: this one must be zoomed to
  std::size_t skipped = 0;  ///< gaps between that are too narrow to be seen
};

/// Whether the legend hides every cause of a gap.
[[nodiscard]] bool isHidden(const TimelineData& data, const TimelineTarget& gap,
                            const LegendFilter& filter);

/// The gap after (`direction` +1) or before (−1) what is selected, around the ends; with nothing
/// selected, from what is in view. Nothing where there are no gaps, or none that is shown.
[[nodiscard]] std::optional<GapStep> nextGap(const TimelineData& data, const TimeAxis& axis,
                                             const TimelineTarget& selection, int direction,
                                             const LegendFilter& filter = {});

/// "3 gaps too narrow to be seen passed over (W zooms in)", "" for none.
[[nodiscard]] QString skippedText(const GapStep& step);

}  // namespace stagelane::ui
