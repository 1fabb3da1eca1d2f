#pragma once

/// Shared by the timeline's tables: one unit for all times of a step, and color swatches.

#include <QBrush>
#include <QPainter>
#include <QPixmap>
#include <QString>

#include "ui/kit/text/formatting.h"
#include "ui/tracks/timeline_data.h"

namespace stagelane::ui::detail {

/// One unit for all times of a step, so that columns can be compared.
struct StepUnit {
  QString name;
  double ns = 1e6;
};
[[nodiscard]] inline StepUnit unitOf(const TimelineData& timeline) {
  return timeline.wallNs() < 10'000'000 ? StepUnit{u"µs"_s, 1e3} : StepUnit{u"ms"_s, 1e6};
}

/// Swatch of a color or hatch beside a name.
[[nodiscard]] inline QPixmap swatch(const QBrush& brush) {
  constexpr int kSide = 12, kRatio = 2;
  QPixmap pixmap(kSide * kRatio, kSide * kRatio);
  pixmap.setDevicePixelRatio(kRatio);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  painter.fillRect(0, 0, kSide, kSide, brush);
  return pixmap;
}

}  // namespace stagelane::ui::detail
