#pragma once

/// The UI map of the painted timeline: tracks, rows, pins, actions, ruler, marks.

#include <QList>
#include <QSize>
#include <optional>
#include <vector>

#include "ui/kit/virtual_controls.h"
#include "ui/session/legend_filter.h"
#include "ui/timeline/timeline_area.h"
#include "ui/tracks/timeline_ends.h"

namespace stagelane::ui {

/// What the timeline shows.
struct ShownTimeline {
  const TimelineData& data;
  const TimeAxis& axis;
  const LegendFilter& filter;
  QSize viewport;
};

/// The rows of a pane with their pins, and the actions in them.
void addPaneControls(QList<VirtualControl>& controls, const ShownTimeline& shown,
                     const TimelinePane& pane);
void addRulerControls(QList<VirtualControl>& controls, const ShownTimeline& shown,
                      const std::vector<RulerEnd>& ends,
                      const std::optional<TimelineMeasure>& measure);
/// "from the step's start": the origin of the ruler.
[[nodiscard]] QString rulerText(const TimelineData& data);

}  // namespace stagelane::ui
