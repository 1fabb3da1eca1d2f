#pragma once

/// Where the measured and the predicted step end, as labels of the ruler: placed so that they
/// neither cover one another nor leave it. Pure layout; the frame paints them, and leaves out the
/// ticks' labels below them.

#include <QRectF>
#include <QString>
#include <vector>

#include "ui/tracks/timeline_axis.h"
#include "ui/tracks/timeline_data.h"

namespace stagelane::ui {

struct RulerEnd {
  bool predicted = false;
  QString text;  ///< "predicted 322 ms", "328 ms"
  QRectF rect;   ///< in the ruler's coordinates
};

/// Those in sight, the last one first. The predicted step is drawn `shiftNs` later. A label that
/// finds no room is left out: the line is there.
[[nodiscard]] std::vector<RulerEnd> rulerEnds(const TimelineData& data, const TimeAxis& axis,
                                              TimeNs shiftNs, double height);

}  // namespace stagelane::ui
