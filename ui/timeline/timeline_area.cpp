#include "ui/timeline/timeline_area.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "ui/kit/text/formatting.h"

namespace stagelane::ui {

TimelineArea areaOf(const AreaDrag& drag, const TimelinePane& pane) {
  TimelineArea area;
  area.fromNs = std::min(drag.fromNs, drag.toNs);
  area.toNs = std::max(drag.fromNs, drag.toNs);
  area.pinned = pane.pinned;
  if (drag.fromY < kTimelineRulerHeight) {
    area.bottom = pane.layout->height;
  } else {
    const auto contentY = [&](double y) {
      return std::clamp(y - pane.y, 0.0, pane.height) + pane.top;
    };
    area.top = contentY(std::min(drag.fromY, drag.toY));
    area.bottom = contentY(std::max(drag.fromY, drag.toY));
  }
  for (const TimelineRow& row : pane.layout->rows) {
    if (row.bottom() <= area.top || row.y >= area.bottom) continue;
    area.top = std::min(area.top, row.y);
    area.bottom = std::max(area.bottom, row.bottom());
    if (row.track >= 0 && row.kind != RowKind::Counter) {
      const auto track = static_cast<std::size_t>(row.track);
      if (area.tracks.empty() || area.tracks.back() != track) area.tracks.push_back(track);
    }
  }
  return area;
}

TimeNs TimelineMeasure::lengthNs() const {
  return static_cast<TimeNs>(std::llround(std::abs(toNs - fromNs)));
}

void paintArea(QPainter& painter, const TimelineArea& area, const TimelinePane& pane,
               const TimeAxis& axis, const Theme& theme) {
  if (pane.pinned != area.pinned) return;
  const double x1 = std::clamp(axis.xOf(area.fromNs), 0.0, axis.widthPx());
  const double x2 = std::clamp(axis.xOf(area.toNs), 0.0, axis.widthPx());
  const double y1 = std::clamp(area.top - pane.top, 0.0, pane.height);
  const double y2 = std::clamp(area.bottom - pane.top, 0.0, pane.height);
  if (x2 <= x1 || y2 <= y1) return;
  QColor fill = theme.control.accent;
  fill.setAlphaF(0.18F);
  painter.fillRect(QRectF(x1, y1, x2 - x1, y2 - y1), fill);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme.control.accent, 1.0));
  painter.drawRect(QRectF(x1 + 0.5, y1 + 0.5, x2 - x1 - 1.0, y2 - y1 - 1.0));
}

void paintMeasure(QPainter& painter, const TimelineMeasure& measure, const TimeAxis& axis,
                  const Theme& theme, const QSizeF& viewport) {
  const double x1 = kTimelineTreeWidth + axis.xOf(measure.fromNs);
  const double x2 = kTimelineTreeWidth + axis.xOf(measure.toNs);
  painter.save();
  painter.setClipRect(QRectF(kTimelineTreeWidth, 0, axis.widthPx(), viewport.height()));
  painter.setPen(QPen(theme.control.accent, 1.0));
  for (const double x : {x1, x2}) {
    painter.drawLine(QPointF(x, kTimelineRulerHeight), QPointF(x, viewport.height()));
  }
  if (const TimeNs length = measure.lengthNs(); length > 0) {
    painter.setFont(fontOf(TextSize::Caption, TextWeight::Bold));
    const QString text = timeText(length);
    const double width = QFontMetricsF(painter.font()).horizontalAdvance(text) + 12.0;
    const double leftmost = kTimelineTreeWidth + width / 2.0;
    const double middle =
        std::clamp((x1 + x2) / 2.0, leftmost, std::max(leftmost, viewport.width() - width / 2.0));
    const QRectF pill(middle - width / 2.0, 3.0, width, kTimelineRulerHeight - 6.0);
    painter.drawLine(QPointF(x1, pill.center().y()), QPointF(x2, pill.center().y()));
    painter.fillRect(pill, theme.control.accent);
    painter.setPen(theme.control.onAccent);
    painter.drawText(pill, Qt::AlignCenter, text);
  }
  painter.restore();
}

}  // namespace stagelane::ui
