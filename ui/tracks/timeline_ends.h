#pragma once

/// Labels on the ruler where the measured and the predicted step end, placed so that they do not
/// overlap or leave the ruler. Pure layout; the frame paints them and omits tick labels below them.

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

/// The visible ends, last one first. The predicted step is drawn `shiftNs` later. A label without
/// room is omitted; its line stays.
[[nodiscard]] std::vector<RulerEnd> rulerEnds(const TimelineData& data, const TimeAxis& axis,
                                              TimeNs shiftNs, double height);

}  // namespace stagelane::ui
