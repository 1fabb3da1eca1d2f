#pragma once

/// A timeline, measured or predicted, as something that the export dialog can write: a picture of
/// what is looked at, and its events as a table.

#include "ui/kit/pictures/export_dialog.h"
#include "ui/session/legend_filter.h"
#include "ui/tracks/timeline_frame.h"

namespace stagelane::ui {

/// What is looked at, and how.
struct TimelineLook {
  TimeAxis axis;
  RowOptions rows{};
  LegendFilter filter{};
  ColorBy colorBy = ColorBy::Kind;
  TimeNs predictedShiftNs = 0;
  TimelineTarget selection{};
};

/// Title and name of the file are left to the caller. @thread the window's
[[nodiscard]] Exportable exportableTimeline(TimelineDataPtr timeline, const TimelineLook& look);

}  // namespace stagelane::ui
