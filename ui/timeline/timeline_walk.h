#pragma once

/// Walks the events of a track.

#include <optional>

#include "ui/session/legend_filter.h"
#include "ui/tracks/timeline_axis.h"
#include "ui/tracks/timeline_data.h"

namespace stagelane::ui {

/// The event after (`direction` +1) or before (−1) the selected one on its track within the step;
/// without a selection, the first that begins in view on the uppermost track that has one. Skips
/// events that the legend hides. Nothing at the ends of a track.
[[nodiscard]] std::optional<TimelineTarget> nextOnTrack(const TimelineData& data,
                                                        const TimeAxis& axis,
                                                        const TimelineTarget& selection,
                                                        int direction,
                                                        const LegendFilter& filter = {});

}  // namespace stagelane::ui
