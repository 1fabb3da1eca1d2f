#include "ui/kit/measured_mark.h"

#include <QPolygonF>

namespace stagelane::ui {
namespace {

constexpr qreal kReach = 4.5;

}  // namespace

QColor measuredColor(const Theme& theme, bool stale) {
  return stale ? theme.control.muted : theme.control.success;
}

void paintMeasuredMark(QPainter& painter, const Theme& theme, const QPointF& center, bool stale) {
  const QPolygonF diamond{{center + QPointF(0, -kReach), center + QPointF(kReach, 0),
                           center + QPointF(0, kReach), center + QPointF(-kReach, 0)}};
  // A rim in the background color keeps it readable on every fill.
  painter.setPen(QPen(theme.control.panel, 1.5));
  painter.setBrush(measuredColor(theme, stale));
  painter.drawPolygon(diamond);
}

}  // namespace stagelane::ui
