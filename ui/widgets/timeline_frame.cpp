/// Track tree and ruler of the timeline: what stands around the scene. Part of timeline_view.h.

#include <QPainter>

#include "ui/widgets/timeline_view.h"

namespace stagelane::ui {

void paintTree(QPainter& painter, const TimelineLayout& layout, const RowOptions& options,
               const Theme& theme, const QRectF& area, double top) {
  painter.save();
  painter.setClipRect(area);
  painter.fillRect(area, theme.control.panel);
  for (const TimelineRow& row : layout.rows) {
    const QRectF rect(area.left(), area.top() + row.y - top, area.width(), row.height);
    if (!rect.intersects(area)) continue;
    const bool header = row.kind == RowKind::Header;
    if (header) painter.fillRect(rect, theme.control.panel2);
    painter.setFont(fontOf(header ? TextSize::Body : TextSize::Caption,
                           header ? TextWeight::Bold : TextWeight::Regular));
    painter.setPen(header ? theme.control.text : theme.control.muted);
    if (header) {
      const bool folded = options.collapsed.count(row.device) != 0;
      painter.drawText(rect.adjusted(6, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                       folded ? QStringLiteral("▸") : QStringLiteral("▾"));
    }
    const QRectF text = rect.adjusted(header ? 22 : 28, 0, -6, 0);
    painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(row.label, Qt::ElideRight,
                                                      static_cast<int>(text.width())));
  }
  painter.setPen(QPen(theme.control.border, 1.0));
  painter.drawLine(area.topRight() - QPointF(0.5, 0), area.bottomRight() - QPointF(0.5, 0));
  painter.restore();
}

void paintRuler(QPainter& painter, const TimeAxis& axis, const Theme& theme, const QRectF& area) {
  painter.save();
  painter.setClipRect(area);
  painter.fillRect(area, theme.control.panel);
  painter.setFont(fontOf(TextSize::Caption));
  for (const Tick& tick : ticksOf(axis, 80.0)) {
    const double x = area.left() + axis.xOf(tick.timeNs);
    painter.setPen(QPen(theme.control.border2, 1.0));
    painter.drawLine(QPointF(x, area.bottom() - 6.0), QPointF(x, area.bottom()));
    const double width = painter.fontMetrics().horizontalAdvance(tick.label);
    if (x + 3.0 + width > area.right()) continue;
    painter.setPen(theme.control.muted);
    painter.drawText(QPointF(x + 3.0, area.bottom() - 8.0), tick.label);
  }
  painter.setPen(QPen(theme.control.border, 1.0));
  painter.drawLine(area.bottomLeft() - QPointF(0, 0.5), area.bottomRight() - QPointF(0, 0.5));
  painter.restore();
}

}  // namespace stagelane::ui
