#include "ui/plots/plan_curve.h"

#include <QFontMetricsF>
#include <QObject>
#include <algorithm>

#include "engine/base/csv.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/text/round_ticks.h"
#include "ui/session/prediction/cost_facts.h"

namespace stagelane::ui {
namespace {

constexpr double kLeft = 64, kRight = 20, kTop = 46, kBottom = 44;
constexpr double kDot = 3.0;
constexpr double kBetweenNames = 8.0;
constexpr int kTicks = 5;

struct Axes {
  Axes(const PlanCurve& curve, QSizeF size)
      : plot(kLeft, kTop, size.width() - kLeft - kRight, size.height() - kTop - kBottom),
        low(curve.points.front().x),
        high(curve.points.back().x) {
    for (const PlanCurve::Point& point : curve.points) most = std::max(most, secondsOf(point));
    most *= 1.08;
  }
  static double secondsOf(const PlanCurve::Point& point) {
    return static_cast<double>(point.stepNs) * 1e-9;
  }
  [[nodiscard]] double y(double seconds) const {
    return plot.bottom() - seconds / std::max(most, 1e-12) * plot.height();
  }
  [[nodiscard]] QPointF at(const PlanCurve::Point& point) const {
    const double share = high > low ? (point.x - low) / (high - low) : 0.5;
    return {plot.left() + kDot + share * (plot.width() - 2 * kDot), y(secondsOf(point))};
  }

  QRectF plot;
  double low, high, most = 0.0;
};

void paintTitles(QPainter& painter, const PlanCurve& curve, QSizeF size, const Theme& theme) {
  painter.setFont(fontOf(TextSize::Body, TextWeight::Bold));
  painter.setPen(theme.control.text);
  painter.drawText(QRectF(12, 6, size.width() - 24, 18), Qt::AlignLeft | Qt::AlignVCenter,
                   curve.title);
  painter.setFont(fontOf(TextSize::Caption));
  painter.setPen(theme.control.muted);
  painter.drawText(QRectF(12, 24, size.width() - 24, 16), Qt::AlignLeft | Qt::AlignVCenter,
                   curve.subtitle);
}

void paintGrid(QPainter& painter, const PlanCurve& curve, const Axes& axes, const Theme& theme) {
  const SecondsUnit unit = secondsUnitOf(axes.most);
  const RoundTicks ticks = roundTicks(0.0, axes.most, kTicks);
  for (const double tick : ticks.values) {
    painter.setPen(theme.control.grid);
    painter.drawLine(QPointF(axes.plot.left(), axes.y(tick)),
                     QPointF(axes.plot.right(), axes.y(tick)));
    painter.setPen(theme.control.muted);
    painter.drawText(QRectF(0, axes.y(tick) - 8, kLeft - 6, 16), Qt::AlignRight | Qt::AlignVCenter,
                     tickText(tick, ticks.step, unit));
  }
  painter.setPen(theme.control.border2);
  painter.drawLine(axes.plot.bottomLeft(), axes.plot.bottomRight());
  painter.setPen(theme.control.muted);
  painter.drawText(QRectF(axes.plot.left(), axes.plot.bottom() + 22, axes.plot.width(), 16),
                   Qt::AlignCenter, curve.xTitle);
}

/// As many as fit without touching, from left to right; the plan's own and the best first.
void paintNames(QPainter& painter, const PlanCurve& curve, const Axes& axes, const Theme& theme) {
  const QFontMetricsF metrics(painter.font());
  std::vector<QRectF> taken;
  const auto place = [&](std::size_t index, const QColor& color) {
    const PlanCurve::Point& point = curve.points[index];
    const double width = metrics.horizontalAdvance(point.label) + 2.0;
    const double left =
        std::clamp(axes.at(point).x() - width / 2, 0.0, axes.plot.right() + kRight - width);
    const QRectF box(left, axes.plot.bottom() + 4, width, 16);
    const QRectF wide = box.adjusted(-kBetweenNames, 0, kBetweenNames, 0);
    if (std::none_of(taken.begin(), taken.end(),
                     [&](const QRectF& other) { return other.intersects(wide); })) {
      taken.push_back(box);
      painter.setPen(color);
      painter.drawText(box, Qt::AlignCenter, point.label);
    }
  };
  if (curve.own) place(*curve.own, theme.control.accent);
  if (curve.best) place(*curve.best, theme.control.success);
  for (std::size_t index = 0; index < curve.points.size(); ++index) {
    place(index, theme.control.muted);
  }
}

void paintPoints(QPainter& painter, const PlanCurve& curve, const Axes& axes, const Theme& theme) {
  QPolygonF line;
  for (const PlanCurve::Point& point : curve.points) line.append(axes.at(point));
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme.control.muted, 1.5, Qt::DashLine));
  painter.drawPolyline(line);
  for (std::size_t index = 0; index < curve.points.size(); ++index) {
    const bool own = curve.own == index;
    painter.setPen(Qt::NoPen);
    painter.setBrush(curve.points[index].overBudget ? theme.control.error
                     : own                          ? theme.control.accent
                                                    : theme.control.muted);
    painter.drawEllipse(line[static_cast<qsizetype>(index)], own ? kDot + 1 : kDot,
                        own ? kDot + 1 : kDot);
  }
}

void paintBest(QPainter& painter, const PlanCurve& curve, const Axes& axes, const Theme& theme) {
  if (!curve.best) return;
  const PlanCurve::Point& best = curve.points[*curve.best];
  painter.setPen(QPen(theme.control.success, 2));
  painter.setBrush(Qt::NoBrush);
  painter.drawEllipse(axes.at(best), 7, 7);
  painter.setFont(fontOf(TextSize::Caption, TextWeight::Bold));
  const QString text = QObject::tr("best: %1, %2")
                           .arg(best.label, approximately(curve.basis) + timeText(best.stepNs));
  const double width = QFontMetricsF(painter.font()).horizontalAdvance(text) + 2.0;
  const double left = std::clamp(axes.at(best).x() - width / 2, axes.plot.left() + 2,
                                 std::max(axes.plot.left() + 2, axes.plot.right() - width));
  painter.drawText(QRectF(left, axes.at(best).y() + 10, width, 16), Qt::AlignCenter, text);
}

}  // namespace

void paintPlanCurve(QPainter& painter, const PlanCurve& curve, QSizeF size, const Theme& theme) {
  const Axes axes(curve, size);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(QRectF(QPointF(0, 0), size), theme.control.panel);
  paintTitles(painter, curve, size, theme);
  painter.setFont(fontOf(TextSize::Caption));
  paintGrid(painter, curve, axes, theme);
  paintNames(painter, curve, axes, theme);
  paintPoints(painter, curve, axes, theme);
  paintBest(painter, curve, axes, theme);
}

QString planCurveCsv(const PlanCurve& curve) {
  QString csv = curve.column + u",predicted_step_s,predicted_from,fits,own,best\n"_s;
  const auto yes = [](bool is) { return is ? u"yes"_s : u"no"_s; };
  for (std::size_t index = 0; index < curve.points.size(); ++index) {
    const PlanCurve::Point& point = curve.points[index];
    csv += QStringList{qstring(csvField(utf8(point.label))),
                       QString::number(Axes::secondsOf(point), 'g', 9),
                       qstring(predict::word(curve.basis)),
                       yes(!point.overBudget),
                       yes(curve.own == index),
                       yes(curve.best == index)}
               .join(QChar(u',')) +
           QChar(u'\n');
  }
  return csv;
}

}  // namespace stagelane::ui
