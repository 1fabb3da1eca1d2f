#include "ui/plots/sweep_picture.h"

#include <QFontMetricsF>
#include <QObject>
#include <algorithm>
#include <cmath>

#include "engine/base/csv.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/text/round_ticks.h"
#include "ui/session/run/sweep_text.h"

namespace stagelane::ui {
namespace {

constexpr double kRight = 12;
constexpr double kNameRow = 15;
constexpr double kBetweenNames = 3;
constexpr double kLine = 16;
/// Fraction of the scale, so that no whisker ends at its edge.
constexpr double kHeadRoom = 1.08;
constexpr double kLeastPlot = 56;
constexpr double kGoodPlot = 112;  ///< beside a list of runs

/// Margins around the plot.
struct SweepMargins {
  double left, top, below;
};
SweepMargins marginsOf(SweepUse use) {
  return use == SweepUse::Window ? SweepMargins{64, 20, 4} : SweepMargins{76, 82, 30};
}

QStringList namesOf(const SweepView& sweep) {
  QStringList names;
  for (const SweepPoint& point : sweep.points) names << point.label;
  return names;
}

double namesHeight(const SweepLabels& labels) {
  return 2 + kNameRow * static_cast<double>(labels.rows.size());
}

QString timeTitle(const SweepAxes& axes) {
  return QObject::tr("time per sample (%1)").arg(secondsUnitOf(axes.most()).name);
}

QString commonText(const SweepLabels& labels) {
  return labels.common.isEmpty() ? QString() : QObject::tr("%1 in all points").arg(labels.common);
}

void paintGrid(QPainter& painter, const SweepAxes& axes, SweepUse use,
               const ControlColors& colors) {
  painter.fillRect(axes.plot(), colors.lane);
  const SecondsUnit unit = secondsUnitOf(axes.most());
  const RoundTicks ticks =
      roundTicks(0.0, axes.most() * kHeadRoom, use == SweepUse::Window ? 3 : 5);
  for (const double tick : ticks.values) {
    const double y = axes.at(0, tick).y();
    painter.setPen(colors.grid);
    painter.drawLine(QPointF(axes.plot().left(), y), QPointF(axes.plot().right(), y));
    painter.setPen(colors.muted);
    painter.drawText(QRectF(0, y - 8, axes.plot().left() - 6, 16),
                     Qt::AlignRight | Qt::AlignVCenter, tickNumber(tick, ticks.step, unit));
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
    if (point.repeats == 0) continue;
    // Hollow: incomplete; muted: ended early.
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

/// A row of names, each centered below its points; names without room are omitted.
void paintNameRow(QPainter& painter, const SweepAxes& axes, const std::vector<SweepLabel>& row,
                  double top, const ControlColors& colors) {
  const QFontMetricsF metrics(painter.font());
  const double end = axes.plot().right() + kRight;
  double free = 0.0;
  for (const SweepLabel& label : row) {
    const double first = axes.at(label.first, 0).x(), last = axes.at(label.last, 0).x();
    const double width = std::min(metrics.horizontalAdvance(label.text) + 2.0, end);
    const double left = std::clamp((first + last - width) / 2, 0.0, end - width);
    if (label.first < label.last) {
      painter.setPen(colors.border2);
      painter.drawLine(QPointF(first, top), QPointF(last, top));
    }
    if (left < free) continue;
    painter.setPen(colors.muted);
    painter.drawText(QRectF(left, top, width, kNameRow), Qt::AlignCenter,
                     metrics.elidedText(label.text, Qt::ElideRight, width));
    free = left + width + kBetweenNames;
  }
}

void paintNames(QPainter& painter, const SweepAxes& axes, const ControlColors& colors) {
  double top = axes.plot().bottom() + 2;
  for (const auto& row : axes.labels().rows) {
    paintNameRow(painter, axes, row, top, colors);
    top += kNameRow;
  }
}

void paintLine(QPainter& painter, const QRectF& line, const QString& text) {
  painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                   QFontMetricsF(painter.font()).elidedText(text, Qt::ElideRight, line.width()));
}

/// The strip's caption: the axis, and what all points share.
void paintCaption(QPainter& painter, const SweepAxes& axes, const ControlColors& colors) {
  QStringList words{timeTitle(axes), commonText(axes.labels())};
  words.removeAll(QString());
  painter.setPen(colors.muted);
  paintLine(painter, QRectF(axes.plot().left(), 2, axes.plot().width(), kLine),
            words.join(u" · "_s));
}

/// An exported picture needs its own titles.
void paintTitles(QPainter& painter, const SweepAxes& axes, const SweepView& sweep, QSizeF size,
                 const ControlColors& colors) {
  QRectF line(12, 8, size.width() - 24, 18);
  painter.setFont(fontOf(TextSize::Body, TextWeight::Bold));
  painter.setPen(colors.text);
  paintLine(painter, line, QObject::tr("Sweep %1").arg(sweep.name));
  painter.setFont(fontOf(TextSize::Caption));
  painter.setPen(colors.muted);
  line.translate(0, 20);
  QStringList notes{sweepBestText(sweep), commonText(axes.labels())};
  notes.removeAll(QString());
  for (const QString& note :
       notes + QStringList{QObject::tr("dashed: predicted · dots: mean ± standard deviation · "
                                       "ring: best")}) {
    paintLine(painter, line, note);
    line.translate(0, kLine);
  }
  painter.drawText(QRectF(axes.plot().left(), size.height() - 22, axes.plot().width(), kLine),
                   Qt::AlignCenter, QObject::tr("sweep points"));
  painter.save();
  painter.translate(18, axes.plot().center().y());
  painter.rotate(-90);
  painter.drawText(QRectF(-size.height() / 2, -8, size.height(), kLine), Qt::AlignCenter,
                   timeTitle(axes));
  painter.restore();
}

QString field(const QString& text) { return qstring(csvField(utf8(text))); }

QString number(double value) { return value > 0.0 ? QString::number(value, 'g', 9) : QString(); }

}  // namespace

SweepAxes::SweepAxes(const SweepView& sweep, QSizeF size, SweepUse use)
    : m_labels(sweepLabels(namesOf(sweep))),
      m_count(std::max<std::size_t>(1, sweep.points.size())) {
  const SweepMargins margins = marginsOf(use);
  m_plot = QRectF(margins.left, margins.top, size.width() - margins.left - kRight,
                  size.height() - margins.top - margins.below - namesHeight(m_labels));
  m_column = m_plot.width() / static_cast<double>(m_count);
  for (const SweepPoint& point : sweep.points) {
    m_most = std::max({m_most, point.predictedS, point.meanS + point.stdS});
  }
}

QPointF SweepAxes::at(std::size_t point, double seconds) const {
  return {m_plot.left() + (static_cast<double>(point) + 0.5) * m_column,
          m_plot.bottom() - seconds / std::max(m_most * kHeadRoom, 1e-12) * m_plot.height()};
}

int SweepAxes::pointAt(double x) const {
  const int index = static_cast<int>(std::floor((x - m_plot.left()) / std::max(m_column, 1.0)));
  return index >= 0 && index < static_cast<int>(m_count) ? index : -1;
}

void paintSweep(QPainter& painter, const SweepView& sweep, QSizeF size, const Theme& theme,
                SweepUse use) {
  const SweepAxes axes(sweep, size, use);
  if (sweep.points.empty() || axes.most() <= 0.0) return;
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(fontOf(TextSize::Caption));
  paintGrid(painter, axes, use, theme.control);
  paintPredicted(painter, axes, sweep.points, theme.control);
  paintMeasured(painter, axes, sweep, theme.control);
  paintNames(painter, axes, theme.control);
  if (use == SweepUse::Window) {
    paintCaption(painter, axes, theme.control);
  } else {
    paintTitles(painter, axes, sweep, size, theme.control);
  }
}

int leastSweepHeight(const SweepView& sweep) {
  const SweepMargins margins = marginsOf(SweepUse::Window);
  return static_cast<int>(margins.top + kLeastPlot + margins.below +
                          namesHeight(sweepLabels(namesOf(sweep))));
}

int goodSweepHeight(const SweepView& sweep) {
  return leastSweepHeight(sweep) + static_cast<int>(kGoodPlot - kLeastPlot);
}

QString sweepCsv(const SweepView& sweep) {
  QString csv =
      u"point,predicted_s,predicted_from,mean_s,std_s,repeats,repeats_asked,status,reason\n"_s;
  for (const SweepPoint& point : sweep.points) {
    const QString basis = point.predictedS <= 0.0 ? QString()
                          : point.estimated       ? u"estimate"_s
                                                  : u"calibration"_s;
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
