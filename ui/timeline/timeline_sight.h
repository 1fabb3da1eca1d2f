#pragma once

/// What the timeline shows of a step: rows, zoom, filter, colors and marks; and what is under a
/// point of the viewport. Without a widget.

#include <QPointF>
#include <optional>
#include <vector>

#include "ui/timeline/timeline_panes.h"
#include "ui/timeline/timeline_search.h"
#include "ui/timeline/timeline_zoom.h"
#include "ui/tracks/timeline_ends.h"
#include "ui/tracks/timeline_scene.h"

namespace stagelane::ui {

struct TimelineSight {
  /// The part of the widget that shows the rows. @units logical pixels
  struct Viewport {
    double scroll = 0.0;
    double height = 0.0;
    double resolution = 1.0;  ///< physical pixels per logical pixel
  };

  /// Sets another step, or none, and clears selection, matches and hover.
  void setData(TimelineDataPtr timeline);
  void select(const TimelineTarget& target);
  [[nodiscard]] TimeNs predictedShiftNs() const;
  [[nodiscard]] std::vector<RulerEnd> ends() const;  ///< @pre there is data

  [[nodiscard]] TimelinePane paneAt(double y, const Viewport& viewport) const;
  [[nodiscard]] SceneInput input(const TimelinePane& pane, const Viewport& viewport) const;
  [[nodiscard]] TimelineTarget targetAt(const QPointF& at, const Viewport& viewport) const;
  /// Null over the ruler and below the rows.
  [[nodiscard]] const TimelineRow* rowAt(const QPointF& at, const Viewport& viewport) const;
  /// Time of the nearest edge of an event or gap within a few pixels, else of the point.
  [[nodiscard]] double snappedTimeAt(const QPointF& at, const Viewport& viewport) const;
  [[nodiscard]] double timeAt(const QPointF& at) const;

  TimelineDataPtr data;
  TimelinePanes panes;
  TimelineZoom zoom;
  LegendFilter filter;
  ColorBy colorBy = ColorBy::Kind;
  bool alignAtFirstDifference = false;
  std::optional<analysis::Cause> markedCause;
  SearchResultPtr found;
  TimelineTarget hover, selection;
  EventFlows flows;  ///< of the selection
};

}  // namespace stagelane::ui
