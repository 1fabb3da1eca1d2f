#include "ui/kit/error_bar.h"

#include <QLineF>
#include <algorithm>

namespace stagelane::ui {

void paintErrorBar(QPainter& painter, const Theme& theme, const QRectF& bar,
                   const std::pair<double, double>& range) {
  const qreal left = bar.left() + bar.width() * std::clamp(range.first, 0.0, 1.0);
  const qreal right = bar.left() + bar.width() * std::clamp(range.second, 0.0, 1.0);
  const qreal middle = bar.center().y();
  const qreal reach = bar.height() / 2 + 1;
  const auto lines = [&] {
    painter.drawLine(QLineF(left, middle, right, middle));
    painter.drawLine(QLineF(left, middle - reach, left, middle + reach));
    if (range.second > 1.0) {
      painter.drawLine(QLineF(right - reach, middle - reach, right, middle));
      painter.drawLine(QLineF(right - reach, middle + reach, right, middle));
    } else {
      painter.drawLine(QLineF(right, middle - reach, right, middle + reach));
    }
  };
  // A rim in the background color keeps it readable on every fill.
  painter.setPen(QPen(theme.control.panel, 3));
  lines();
  painter.setPen(QPen(theme.control.text, 1));
  lines();
}

}  // namespace stagelane::ui
