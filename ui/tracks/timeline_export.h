#pragma once

/// Makes a measured or predicted timeline exportable: a picture of the view, and its events as a
/// table.

#include "ui/kit/pictures/export_dialog.h"
#include "ui/session/legend_filter.h"
#include "ui/tracks/timeline_frame.h"

namespace stagelane::ui {

/// The current view.
struct TimelineLook {
  TimeAxis axis;
  RowOptions rows{};
  LegendFilter filter{};
  ColorBy colorBy = ColorBy::Kind;
  TimeNs predictedShiftNs = 0;
  TimelineTarget selection{};
};

/// The caller sets title and file name. @thread the window's
[[nodiscard]] Exportable exportableTimeline(TimelineDataPtr timeline, const TimelineLook& look);

}  // namespace stagelane::ui
