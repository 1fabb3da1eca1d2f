#pragma once

/// Marks on the lanes of the timeline: an area of time and tracks, and a measured time span. Pure
/// values and their painting.

#include <QPainter>
#include <vector>

#include "ui/kit/theme.h"
#include "ui/timeline/timeline_panes.h"
#include "ui/tracks/timeline_axis.h"

namespace stagelane::ui {

/// A time span on some tracks. @units nanoseconds from the step's start; content y
struct TimelineArea {
  double fromNs = 0.0, toNs = 0.0;
  double top = 0.0, bottom = 0.0;
  bool pinned = false;  ///< in the pinned pane, else in the scrolled one
  std::vector<std::size_t> tracks{};
};

/// A drag over the lanes, from the press to the mouse.
struct AreaDrag {
  double fromNs = 0.0, toNs = 0.0;
  double fromY = 0.0, toY = 0.0;  ///< in the viewport
};
/// Includes every row that the drag touches. A drag along the ruler selects all tracks. @param pane
/// where the drag began; the scrolled pane for the ruler
[[nodiscard]] TimelineArea areaOf(const AreaDrag& drag, const TimelinePane& pane);

struct TimelineMeasure {
  double fromNs = 0.0, toNs = 0.0;
  [[nodiscard]] TimeNs lengthNs() const;
};

/// Paints onto the lanes of a pane, from the painter's origin.
void paintArea(QPainter& painter, const TimelineArea& area, const TimelinePane& pane,
               const TimeAxis& axis, const Theme& theme);
/// Paints over the ruler and all lanes of a viewport of this size.
void paintMeasure(QPainter& painter, const TimelineMeasure& measure, const TimeAxis& axis,
                  const Theme& theme, const QSizeF& viewport);

}  // namespace stagelane::ui
