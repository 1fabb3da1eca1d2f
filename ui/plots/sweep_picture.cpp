#include "ui/plots/sweep_picture.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "engine/base/csv.h"
#include "ui/models/formatting.h"
#include "ui/models/sweep_text.h"

namespace stagelane::ui {
namespace {

constexpr double kLeft = 64;
constexpr double kRight = 12;
constexpr double kTop = 8;
constexpr double kBottom = 20;
constexpr double kLabelWidth = 96;

void paintGrid(QPainter& painter, const SweepAxes& axes, const ControlColors& colors) {
  painter.fillRect(axes.plot(), colors.lane);
  for (int tick = 0; tick <= 2; ++tick) {
    const double seconds = axes.most() * tick / 2.0;
    const double y = axes.at(0, seconds).y();
    painter.setPen(colors.grid);
    painter.drawLine(QPointF(axes.plot().left(), y), QPointF(axes.plot().right(), y));
    painter.setPen(colors.muted);
    painter.drawText(QRectF(0, y - 8, kLeft - 6, 16), Qt::AlignRight | Qt::AlignVCenter,
                     tick == 0 ? QStringLiteral("0") : secondsText(seconds));
  }
}

void paintPredicted(QPainter& painter, const SweepAxes& axes, const std::vector<SweepPoint>& points,
                    const ControlColors& colors) {
  painter.setPen(QPen(colors.muted, 1.5, Qt::DashLine));
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (points[i].predictedS > 0.0 && points[i - 1].predictedS > 0.0) {
      painter.drawLine(axes.at(i - 1, points[i - 1].predictedS), axes.at(i, points[i].predictedS));
    }
  }
  if (points.size() == 1 && points[0].predictedS > 0.0) {
    const QPointF only = axes.at(0, points[0].predictedS);
    painter.setPen(QPen(colors.muted, 1.5));
    painter.drawLine(only - QPointF(8, 0), only + QPointF(8, 0));
  }
}

void paintMeasured(QPainter& painter, const SweepAxes& axes, const SweepView& sweep,
                   const ControlColors& colors) {
  const SweepPoint* best = bestOf(sweep);
  for (std::size_t i = 0; i < sweep.points.size(); ++i) {
    const SweepPoint& point = sweep.points[i];
    if (point.repeats == 0) {
      continue;
    }
    // Hollow is what has not all of its repeats, muted what was ended early.
    const bool stopped = !point.reason.isEmpty();
    painter.setPen(QPen(stopped ? colors.muted : colors.accent, 1.5));
    painter.setBrush(stopped || !isMeasured(point) ? colors.panel : colors.accent);
    painter.drawLine(axes.at(i, std::max(0.0, point.meanS - point.stdS)),
                     axes.at(i, point.meanS + point.stdS));
    painter.drawEllipse(axes.at(i, point.meanS), 3.5, 3.5);
    if (&point == best) {
      painter.setBrush(Qt::NoBrush);
      painter.drawEllipse(axes.at(i, point.meanS), 7, 7);
    }
  }
}

void paintNames(QPainter& painter, const SweepAxes& axes, const std::vector<SweepPoint>& points,
                const ControlColors& colors) {
  painter.setPen(colors.muted);
  const auto every =
      static_cast<std::size_t>(std::ceil(kLabelWidth / std::max(axes.column(), 1.0)));
  const double wide = axes.column() * static_cast<double>(every) - 6.0;
  const QFontMetricsF metrics(painter.font());
  for (std::size_t i = 0; i < points.size(); i += every) {
    const QRectF box(axes.at(i, 0).x() - axes.column() / 2, axes.plot().bottom() + 2, wide,
                     kBottom - 2);
    painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(points[i].label, Qt::ElideRight, wide));
  }
}

QString field(const QString& text) { return qstring(csvField(utf8(text))); }

QString number(double value) { return value > 0.0 ? QString::number(value, 'g', 9) : QString(); }

}  // namespace

SweepAxes::SweepAxes(const SweepView& sweep, QSizeF size)
    : m_count(std::max<std::size_t>(1, sweep.points.size())),
      m_plot(kLeft, kTop, size.width() - kLeft - kRight, size.height() - kTop - kBottom),
      m_column(m_plot.width() / static_cast<double>(m_count)) {
  for (const SweepPoint& point : sweep.points) {
    m_most = std::max({m_most, point.predictedS, point.meanS + point.stdS});
  }
}

QPointF SweepAxes::at(std::size_t point, double seconds) const {
  return {m_plot.left() + (static_cast<double>(point) + 0.5) * m_column,
          m_plot.bottom() - seconds / std::max(m_most, 1e-12) * m_plot.height()};
}

int SweepAxes::pointAt(double x) const {
  const int index = static_cast<int>(std::floor((x - m_plot.left()) / std::max(m_column, 1.0)));
  return index >= 0 && index < static_cast<int>(m_count) ? index : -1;
}

void paintSweep(QPainter& painter, const SweepView& sweep, QSizeF size, const Theme& theme) {
  const SweepAxes axes(sweep, size);
  if (sweep.points.empty() || axes.most() <= 0.0) {
    return;
  }
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(fontOf(TextSize::Caption));
  paintGrid(painter, axes, theme.control);
  paintPredicted(painter, axes, sweep.points, theme.control);
  paintMeasured(painter, axes, sweep, theme.control);
  paintNames(painter, axes, sweep.points, theme.control);
}

QString sweepCsv(const SweepView& sweep) {
  QString csv = QStringLiteral(
      "point,predicted_s,predicted_from,mean_s,std_s,repeats,repeats_asked,status,reason\n");
  for (const SweepPoint& point : sweep.points) {
    const QString basis = point.predictedS <= 0.0 ? QString()
                          : point.estimated       ? QStringLiteral("estimate")
                                                  : QStringLiteral("calibration");
    csv += QStringList{field(point.label),
                       number(point.predictedS),
                       basis,
                       number(point.meanS),
                       point.repeats > 1 ? QString::number(point.stdS, 'g', 9) : QString(),
                       QString::number(point.repeats),
                       QString::number(point.repeatsAsked),
                       point.status,
                       field(point.reason)}
               .join(QChar(u',')) +
           QChar(u'\n');
  }
  return csv;
}

}  // namespace stagelane::ui
