/// Predicted against measured step times of a run: a point a variant, and the line on which both
/// are the same.

#include <QPainter>
#include <algorithm>

#include "ui/models/formatting.h"
#include "ui/plots/chart_parts.h"

namespace stagelane::ui::detail {
namespace {

constexpr double kPoint = 7.0;
constexpr double kTouch = 14.0;

struct Point {
  const record::VariantResult* variant;
  double measuredS;
  double predictedS;
};

std::vector<Point> pointsOf(const record::RunResult& run) {
  std::vector<Point> points;
  for (const auto& variant : run.variants) {
    if (!comparesPrediction(variant)) continue;
    points.push_back({&variant, static_cast<double>(variant.stepNs) * 1e-9,
                      static_cast<double>(variant.predicted->stepNs) * 1e-9});
  }
  return points;
}

QString tipOf(const Point& point) {
  const double percent = point.variant->predicted->error * 100.0;
  return QStringLiteral("%1: predicted %2 (%3), measured %4, %5%6 %")
      .arg(qstring(point.variant->name), secondsText(point.predictedS),
           qstring(point.variant->predicted->basis), secondsText(point.measuredS),
           percent < 0.0 ? QStringLiteral("−") : QStringLiteral("+"),
           QString::number(std::abs(percent), 'f', 1));
}

/// Names beside their points, where no other name or point is.
void paintNames(QPainter& painter, const ChartCanvas& canvas, const std::vector<QPointF>& places,
                const std::vector<Point>& points, const QRectF& area) {
  painter.setFont(fontOf(TextSize::Caption));
  painter.setPen(canvas.theme.control.text);
  const QFontMetricsF metrics(painter.font());
  std::vector<QRectF> taken;
  for (const QPointF& place : places) {
    taken.emplace_back(place - QPointF(kPoint, kPoint), QSizeF(2 * kPoint, 2 * kPoint));
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    const QString name =
        metrics.elidedText(qstring(points[i].variant->name), Qt::ElideRight, 180.0);
    const QSizeF size(metrics.horizontalAdvance(name) + 4.0, metrics.height());
    for (const QPointF& corner :
         {places[i] + QPointF(kPoint + 2.0, -size.height() / 2.0),
          places[i] - QPointF(kPoint + 2.0 + size.width(), size.height() / 2),
          places[i] + QPointF(-size.width() / 2.0, kPoint),
          places[i] - QPointF(size.width() / 2.0, kPoint + size.height())}) {
      const QRectF rect(corner, size);
      const bool isFree = area.contains(rect) &&
                          std::none_of(taken.begin(), taken.end(),
                                       [&](const QRectF& other) { return other.intersects(rect); });
      if (!isFree) continue;
      painter.drawText(rect, Qt::AlignCenter, name);
      taken.push_back(rect);
      break;
    }
  }
}

}  // namespace

bool comparesPrediction(const record::VariantResult& variant) {
  return variant.predicted && variant.predicted->stepNs > 0 && variant.stepNs > 0;
}

void drawPrediction(const ChartCanvas& canvas) {
  const std::vector<Point> points = pointsOf(canvas.run);
  double largest = 0.0;
  for (const Point& point : points) {
    largest = std::max({largest, point.measuredS, point.predictedS});
  }
  const Unit unit = secondsUnit(largest);
  const double top = std::max(1e-9, largest * unit.factor) * 1.12;
  auto plot = makePlot(canvas, QStringLiteral("predicted step (%1)").arg(unit.name));
  plot->xAxis->setLabel(QStringLiteral("measured step (%1, median)").arg(unit.name));
  plot->xAxis->grid()->setVisible(true);
  plot->xAxis->setRange(0.0, top);
  plot->yAxis->setRange(0.0, top);
  auto* same = plot->addGraph();
  same->setPen(QPen(canvas.theme.control.muted, 1.2, Qt::DashLine));
  same->addData(0.0, 0.0);
  same->addData(top, top);
  record(*plot, canvas);
  std::vector<QPointF> places;
  for (const Point& point : points) {
    places.emplace_back(plot->xAxis->coordToPixel(point.measuredS * unit.factor),
                        plot->yAxis->coordToPixel(point.predictedS * unit.factor));
  }
  paintOver(canvas, [&](QPainter& painter) {
    painter.setRenderHint(QPainter::Antialiasing, true);
    for (std::size_t i = 0; i < points.size(); ++i) {
      // Hollow: an estimate, which is no claim about this machine.
      const bool estimate = points[i].variant->predicted->basis == "estimate";
      painter.setPen(QPen(canvas.theme.control.accent, 1.6));
      painter.setBrush(estimate ? QBrush(Qt::NoBrush) : QBrush(canvas.theme.control.accent));
      painter.drawEllipse(places[i], kPoint / 2.0 + 1.0, kPoint / 2.0 + 1.0);
      canvas.drawing.marks.push_back(
          {qstring(points[i].variant->id), tipOf(points[i]),
           QRectF(places[i] - QPointF(kTouch / 2, kTouch / 2), QSizeF(kTouch, kTouch))});
    }
    paintNames(painter, canvas, places, points, QRectF(plot->axisRect()->rect()));
  });
}

}  // namespace stagelane::ui::detail
