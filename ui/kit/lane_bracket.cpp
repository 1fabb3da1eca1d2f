#include "ui/kit/lane_bracket.h"

#include <QFontMetricsF>

namespace stagelane::ui {

void paintLaneBracket(QPainter& painter, const Theme& theme, const QRectF& rect,
                      const QString& title, const QString& detail) {
  constexpr qreal kArm = 5;
  constexpr qreal kInset = 6;
  constexpr qreal kLine = 15;
  const qreal x = rect.right() - kInset - kArm + 0.5;
  const qreal top = rect.top() + kInset + 0.5;
  const qreal bottom = rect.bottom() - kInset - 0.5;
  painter.setPen(QPen(theme.control.accent, 1.5));
  painter.setBrush(Qt::NoBrush);
  painter.drawPolyline(QPolygonF{{x + kArm, top}, {x, top}, {x, bottom}, {x + kArm, bottom}});
  const QRectF text(rect.left() + 8, rect.center().y() - (detail.isEmpty() ? kLine / 2 : kLine),
                    x - rect.left() - 12, kLine);
  const auto line = [&](const QRectF& place, const QString& words, TextWeight weight,
                        const QColor& color) {
    painter.setFont(fontOf(TextSize::Caption, weight));
    painter.setPen(color);
    painter.drawText(
        place, Qt::AlignVCenter | Qt::AlignLeft,
        QFontMetricsF(painter.font()).elidedText(words, Qt::ElideRight, place.width()));
  };
  line(text, title, TextWeight::Bold, theme.control.text);
  if (!detail.isEmpty()) {
    line(text.translated(0, kLine), detail, TextWeight::Regular, theme.control.muted);
  }
}

}  // namespace stagelane::ui
