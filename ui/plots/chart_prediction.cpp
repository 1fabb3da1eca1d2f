/// Predicted against measured step times of a run: a point per variant, and the line of equality.

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "engine/base/csv.h"
#include "engine/base/quantile.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/text/short_name.h"
#include "ui/plots/chart_row.h"

namespace stagelane::ui::detail {
namespace {

constexpr double kPoint = 7.0;
constexpr double kFarthestName = 100.0;
constexpr double kBand = 0.02;
constexpr double kFarApart = 10.0;  ///< above this ratio the axes are logarithmic
constexpr double kRoom = 1.12;      ///< beyond the outermost point

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

bool isEstimate(const Point& point) { return point.variant->predicted->basis == "estimate"; }

/// Hollow: an estimate, which is not calibrated for this machine.
void paintPoint(QPainter& painter, const ChartCanvas& canvas, const QPointF& place, bool estimate) {
  painter.setPen(QPen(canvas.theme.control.accent, 1.6));
  painter.setBrush(estimate ? canvas.theme.control.panel : canvas.theme.control.accent);
  painter.drawEllipse(place, kPoint / 2.0 + 1.0, kPoint / 2.0 + 1.0);
}

void paintNameAt(QPainter& painter, const ChartCanvas& canvas, const QRectF& rect,
                 const QPointF& point, const QString& name) {
  const QPointF nearest(std::clamp(point.x(), rect.left(), rect.right()),
                        std::clamp(point.y(), rect.top(), rect.bottom()));
  if (QLineF(point, nearest).length() > 2.0 * kPoint) {
    painter.setPen(QPen(canvas.theme.control.border2, 1.0));
    painter.drawLine(point, nearest);
  }
  painter.fillRect(rect, canvas.theme.control.panel);
  painter.setPen(canvas.theme.control.text);
  painter.drawText(rect, Qt::AlignCenter, name);
}

/// Both axes, in the unit: from `least` to `most`, linear or logarithmic.
struct Scale {
  double least = 0.0;
  double most = 1.0;
  bool byRatio = false;

  /// Position of a value on the axis, from 0 to 1.
  [[nodiscard]] double share(double value) const {
    return byRatio ? std::log(value / least) / std::log(most / least)
                   : (value - least) / (most - least);
  }
};

Scale scaleOf(const std::vector<Point>& points, const Unit& unit) {
  double least = 1e300, most = 1e-9;
  for (const Point& point : points) {
    const auto [smaller, larger] = std::minmax(point.measuredS, point.predictedS);
    least = std::min(least, smaller * unit.factor);
    most = std::max(most, larger * unit.factor);
  }
  if (most <= kFarApart * least) return {0.0, most * kRoom, false};
  return {least / (kRoom * kRoom), most * kRoom * kRoom, true};
}

/// 1, 2 and 5 of each power of ten; only 1 if those would be too many.
QSharedPointer<QCPAxisTicker> tickerOf(const Scale& scale) {
  auto ticker = QSharedPointer<QCPAxisTickerText>::create();
  ticker->setSubTickCount(0);
  const bool many = scale.most > 1000.0 * scale.least;
  const int last = static_cast<int>(std::floor(std::log10(scale.most)));
  for (int power = static_cast<int>(std::floor(std::log10(scale.least))); power <= last; ++power) {
    for (const double digit : {1.0, 2.0, 5.0}) {
      const double value = digit * std::pow(10.0, power);
      if (value < scale.least || value > scale.most || (many && digit > 1.0)) continue;
      ticker->addTick(value, numberText(value, std::max(0, -power)));
    }
  }
  return ticker;
}

void setScale(QCPAxis& axis, const Scale& scale) {
  if (scale.byRatio) {
    axis.setScaleType(QCPAxis::stLogarithmic);
    axis.setTicker(tickerOf(scale));
  }
  axis.setRange(scale.least, scale.most);
}

/// ±2 % around the diagonal, over all measured times.
void paintBand(QPainter& painter, const ChartCanvas& canvas, const QRectF& area,
               const Scale& scale) {
  QPolygonF band;
  const auto add = [&](double measured, double factor) {
    band << QPointF(area.left() + area.width() * scale.share(measured),
                    area.bottom() - area.height() * scale.share(measured * factor));
  };
  add(scale.least, 1.0 - kBand);
  add(scale.most, 1.0 - kBand);
  add(scale.most, 1.0 + kBand);
  add(scale.least, 1.0 + kBand);
  painter.setPen(Qt::NoPen);
  painter.setBrush(canvas.theme.control.successGround);
  // Clipped here because SVG output lacks the painter's clip.
  painter.drawPolygon(band.intersected(QPolygonF(area)));
}

QStringList factsOf(const Point& point) {
  return {QObject::tr("predicted %1 (%2)")
              .arg(secondsText(point.predictedS), qstring(point.variant->predicted->basis)),
          QObject::tr("measured %1").arg(secondsText(point.measuredS)),
          QObject::tr("prediction error %1")
              .arg(percentDifferenceText(point.variant->predicted->error))};
}

/// Candidate positions of a name: around its point, then farther away with a connecting line.
std::vector<QRectF> placesOfName(const QPointF& point, const QSizeF& size) {
  std::vector<QRectF> places;
  for (double away = kPoint + 2.0; away < kFarthestName; away += size.height()) {
    const double right = point.x() + away, left = point.x() - away - size.width();
    const double middle = point.y() - size.height() / 2.0;
    const double above = point.y() - away - size.height(), below = point.y() + away;
    for (const QPointF& corner :
         {QPointF(right, middle), QPointF(left, middle), QPointF(right, below),
          QPointF(left, above), QPointF(right, above), QPointF(left, below),
          QPointF(point.x() - size.width() / 2.0, below),
          QPointF(point.x() - size.width() / 2.0, above)}) {
      places.emplace_back(corner, size);
    }
  }
  return places;
}

bool crossesDiagonal(const QRectF& rect, const QRectF& area) {
  const auto diagonalY = [&](double x) {
    return area.bottom() - (x - area.left()) * area.height() / area.width();
  };
  return rect.top() < diagonalY(rect.left()) && rect.bottom() > diagonalY(rect.right());
}

/// Places each name near its point, clear of the key, other names, points and the diagonal; if that
/// is impossible, clear of all but the diagonal, on a background of its own.
void paintNames(QPainter& painter, const ChartCanvas& canvas, const std::vector<QPointF>& places,
                const std::vector<Point>& points, const QRectF& area, const QRectF& key) {
  painter.setFont(fontOf(TextSize::Caption));
  const QFontMetricsF metrics(painter.font());
  std::vector<QRectF> taken = {key};
  for (const QPointF& place : places) taken.push_back(around(place, kPoint));
  for (std::size_t i = 0; i < points.size(); ++i) {
    const QString name =
        metrics.elidedText(shownName(points[i].variant->name), Qt::ElideRight, 180.0);
    const auto all =
        placesOfName(places[i], {metrics.horizontalAdvance(name) + 4.0, metrics.height()});
    const auto isFree = [&](const QRectF& rect) {
      return area.contains(rect) &&
             std::none_of(taken.begin(), taken.end(),
                          [&](const QRectF& other) { return other.intersects(rect); });
    };
    auto found = std::find_if(all.begin(), all.end(), [&](const QRectF& rect) {
      return isFree(rect) && !crossesDiagonal(rect, area);
    });
    if (found == all.end()) found = std::find_if(all.begin(), all.end(), isFree);
    if (found == all.end()) continue;
    taken.push_back(*found);
    paintNameAt(painter, canvas, *found, places[i], name);
  }
}

/// The key: the band and the meaning of hollow points. Returns its area.
QRectF paintKey(QPainter& painter, const ChartCanvas& canvas, const std::vector<Point>& points,
                const QRectF& area) {
  painter.setFont(fontOf(TextSize::Caption));
  const QFontMetricsF metrics(painter.font());
  double x = area.left() + 8.0;
  const double y = area.top() + 10.0;
  const auto text = [&](const QString& words) {
    painter.setPen(canvas.theme.control.muted);
    painter.drawText(QPointF(x, y + metrics.ascent() / 2.0 - 1.0), words);
    x += metrics.horizontalAdvance(words) + 14.0;
  };
  painter.fillRect(QRectF(x, y - 5.0, 12.0, 10.0), canvas.theme.control.successGround);
  x += 17.0;
  text(u"±%1 %"_s.arg(kBand * 100.0));
  for (const bool estimate : {false, true}) {
    if (std::none_of(points.begin(), points.end(),
                     [&](const Point& point) { return isEstimate(point) == estimate; })) {
      continue;
    }
    paintPoint(painter, canvas, {x + 5.0, y}, estimate);
    x += 14.0;
    text(estimate ? QObject::tr("estimated") : QObject::tr("from measured costs"));
  }
  return {area.left(), area.top(), x - area.left(), 2.0 * (y - area.top())};
}

}  // namespace

bool comparesPrediction(const record::VariantResult& variant) {
  return variant.predicted && variant.predicted->stepNs > 0 && variant.stepNs > 0;
}

namespace {

void drawPrediction(const ChartCanvas& canvas) {
  const std::vector<Point> points = pointsOf(canvas.run);
  double largest = 0.0;
  for (const Point& point : points) {
    largest = std::max({largest, point.measuredS, point.predictedS});
  }
  const Unit unit = secondsUnit(largest);
  const Scale scale = scaleOf(points, unit);
  const QString axes = scale.byRatio ? QObject::tr(", logarithmic") : QString();
  auto plot = makePlot(canvas, QObject::tr("predicted step (%1%2)").arg(unit.name, axes));
  plot->xAxis->setLabel(QObject::tr("measured step (%1, median%2)").arg(unit.name, axes));
  plot->xAxis->grid()->setVisible(true);
  setScale(*plot->xAxis, scale);
  setScale(*plot->yAxis, scale);
  record(*plot, canvas);
  std::vector<QPointF> places;
  for (const Point& point : points) {
    places.emplace_back(plot->xAxis->coordToPixel(point.measuredS * unit.factor),
                        plot->yAxis->coordToPixel(point.predictedS * unit.factor));
  }
  paintOver(canvas, [&](QPainter& painter) {
    painter.setRenderHint(QPainter::Antialiasing, true);
    const QRectF area(plot->axisRect()->rect());
    paintBand(painter, canvas, area, scale);
    painter.setPen(QPen(canvas.theme.control.muted, 1.2, Qt::DashLine));
    painter.drawLine(area.bottomLeft(), area.topRight());
    const QRectF key = paintKey(painter, canvas, points, area);
    paintNames(painter, canvas, places, points, area, key);
    for (std::size_t i = 0; i < points.size(); ++i) {
      paintPoint(painter, canvas, places[i], isEstimate(points[i]));
      canvas.drawing.marks.push_back(markOf(*points[i].variant, factsOf(points[i]),
                                            around(places[i], kPoint),
                                            around(places[i], kPointTarget)));
    }
  });
}

/// "step prediction error: median 1.2 %, largest 3.4 %".
QString predictionSubtitle(const record::RunResult& run, const ChartOptions&) {
  std::vector<double> errors;
  for (const auto& variant : run.variants) {
    if (comparesPrediction(variant)) errors.push_back(std::abs(variant.predicted->error));
  }
  if (errors.empty()) return {};
  return QObject::tr("step prediction error: median %1, largest %2")
      .arg(percentText(quantile(errors, 0.5), 1),
           percentText(*std::max_element(errors.begin(), errors.end()), 1));
}

void predictionCsv(std::ostream& out, const record::RunResult& run) {
  out << "variant,repeat,device,predicted_step_ns,measured_step_ns,error_fraction,basis\n";
  for (const auto& variant : run.variants) {
    if (!comparesPrediction(variant)) continue;
    out << csvField(variant.id) << ",median,," << variant.predicted->stepNs << ',' << variant.stepNs
        << ',' << variant.predicted->error << ',' << csvField(variant.predicted->basis) << '\n';
  }
}

}  // namespace

const ChartRow kPredictionChart{
    .word = "prediction",
    .title = QT_TRANSLATE_NOOP("QObject", "Predicted and measured"),
    .ofMedianStep = true,
    .empty = QT_TRANSLATE_NOOP("QObject", "Needs a predicted and measured variant"),
    .subtitle = predictionSubtitle,
    .hasData = [](const record::RunResult& run,
                  const ChartOptions&) { return anyVariant(run, comparesPrediction); },
    .draw = drawPrediction,
    .csv = predictionCsv};

}  // namespace stagelane::ui::detail
