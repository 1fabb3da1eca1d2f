#pragma once

/// Walking the events of a track: which one comes next.

#include <optional>

#include "ui/session/legend_filter.h"
#include "ui/tracks/timeline_axis.h"
#include "ui/tracks/timeline_data.h"

namespace stagelane::ui {

/// The event after (`direction` +1) or before (−1) the selected one on its track and in the step;
/// with none selected, the first that begins in view, of the uppermost track that has one. What the
/// legend hides is passed over. Nothing at the ends of a track.
[[nodiscard]] std::optional<TimelineTarget> nextOnTrack(const TimelineData& data,
                                                        const TimeAxis& axis,
                                                        const TimelineTarget& selection,
                                                        int direction,
                                                        const LegendFilter& filter = {});

}  // namespace stagelane::ui
