/// Speed-up of a run's variants as bars, with the number of devices and each schedule's bound.

#include <QPainter>
#include <algorithm>

#include "engine/base/csv.h"
#include "engine/plan/strategies.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/text/short_name.h"
#include "ui/plots/chart_row.h"

namespace stagelane::ui::detail {
namespace {

/// "1.56× of 2×", "bound 1.67×"; shorter if the bar is narrow.
std::vector<LabelLine> speedupLabel(const record::VariantResult& variant, double devices,
                                    const QColor& color, double width) {
  const QString times = timesText(*variant.speedup);
  if (variant.id == variant.speedupBase)
    return {{times, color, true}, {QObject::tr("base"), color}};
  const bool oneWorker = plan::strategyRow(variant.strategy).oneDevice;
  std::vector<LabelLine> lines{
      {oneWorker ? times : QObject::tr("%1 of %2×").arg(times).arg(static_cast<int>(devices)),
       color, true}};
  if (!labelFits(lines, width)) lines.front().text = times;
  if (!variant.bound) return lines;
  const QString bound = timesText(variant.bound->speedup);
  lines.push_back({QObject::tr("bound ") + bound, color});
  if (!labelFits({lines.back()}, width)) {
    lines.back().text = QObject::tr("bound");
    lines.push_back({bound, color});
  }
  return lines;
}

void paintSpeedupLimits(QPainter& painter, const ChartCanvas& canvas, const QCustomPlot& plot,
                        double devices) {
  const QRectF area = plot.axisRect()->rect();
  const double y = plot.yAxis->coordToPixel(devices);
  painter.setPen(QPen(canvas.theme.control.text, 1.2, Qt::DashLine));
  painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
  const QString text = countedText(static_cast<std::int64_t>(devices), QObject::tr("device"),
                                   QObject::tr("devices"));
  const double width = QFontMetricsF(fontOf(TextSize::Caption)).horizontalAdvance(text);
  paintLabel(painter, area.right() - width / 2.0 - 2.0, y - 2.0,
             {{text, canvas.theme.control.muted}}, {});
  painter.setPen(QPen(canvas.theme.control.text, 1.4, Qt::DotLine));
  for (std::size_t i = 0; i < canvas.run.variants.size(); ++i) {
    const auto& variant = canvas.run.variants[i];
    if (!variant.bound || !variant.speedup || variant.id == variant.speedupBase) continue;
    const QRectF rect =
        barRect(plot, static_cast<double>(i), barWidth(canvas), variant.bound->speedup);
    const double over = std::min(8.0, rect.width() * 0.2);
    painter.drawLine(rect.topLeft() - QPointF(over, 0), rect.topRight() + QPointF(over, 0));
  }
}

QStringList speedupFacts(const record::VariantResult& variant) {
  QStringList facts{timesText(*variant.speedup)};
  if (variant.id == variant.speedupBase) facts << QObject::tr("base");
  if (variant.bound) facts << QObject::tr("bound %1").arg(timesText(variant.bound->speedup));
  if (variant.speedupAllCores) {
    facts << QObject::tr("relative to one worker with all cores: %1")
                 .arg(timesText(*variant.speedupAllCores));
  }
  return facts;
}

/// The label inside the bar if it fits, else above everything over the bar.
void paintSpeedupBar(QPainter& painter, const ChartCanvas& canvas, const QRectF& rect,
                     const QRectF& boundRect, std::size_t index) {
  const auto& variant = canvas.run.variants[index];
  const auto devices = static_cast<double>(std::max<std::size_t>(1, canvas.run.devices.size()));
  const auto inside =
      speedupLabel(variant, devices, canvas.theme.control.onAccent, rect.width() - 4.0);
  const double height = labelHeight(inside.size());
  if (labelFits(inside, rect.width()) && rect.height() >= height + 10.0) {
    // A bound below the bar's top crosses the bar; the label goes below its line.
    const bool crossed =
        boundRect.top() > rect.top() && boundRect.top() < rect.top() + height + 8.0;
    const double top =
        crossed && rect.bottom() - boundRect.top() > height + 6.0 ? boundRect.top() : rect.top();
    paintLabel(painter, rect.center().x(), top + 5.0 + height, inside, {});
    return;
  }
  const auto above =
      speedupLabel(variant, devices, canvas.theme.control.text, perBar(canvas) - 4.0);
  paintLabel(painter, rect.center().x(), std::min(rect.top(), boundRect.top()) - 4.0, above,
             canvas.theme.control.panel);
}

void drawSpeedup(const ChartCanvas& canvas) {
  auto plot = makePlot(canvas, QObject::tr("speed-up (×)"));
  QCPBars* bars = addBars(*plot, canvas.theme.control.accent, barWidth(canvas));
  const auto devices = static_cast<double>(std::max<std::size_t>(1, canvas.run.devices.size()));
  double largest = devices;
  for (std::size_t i = 0; i < canvas.run.variants.size(); ++i) {
    const auto& variant = canvas.run.variants[i];
    if (!variant.speedup) continue;
    bars->addData(static_cast<double>(i), *variant.speedup);
  }
  for (const auto& variant : scaleRun(canvas).variants) {
    if (!variant.speedup) continue;
    largest = std::max({largest, *variant.speedup, variant.bound ? variant.bound->speedup : 0.0});
  }
  const double top = topFor(canvas, largest, 2);
  plot->yAxis->setRangeUpper(top);
  setVariantNames(*plot, canvas);
  record(*plot, canvas);
  paintOver(canvas, [&](QPainter& painter) {
    paintSpeedupLimits(painter, canvas, *plot, devices);
    for (std::size_t i = 0; i < canvas.run.variants.size(); ++i) {
      const auto& variant = canvas.run.variants[i];
      if (!variant.speedup) continue;
      const auto x = static_cast<double>(i);
      const QRectF rect = barRect(*plot, x, barWidth(canvas), *variant.speedup);
      const double bound = variant.bound ? variant.bound->speedup : 0.0;
      paintSpeedupBar(painter, canvas, rect, barRect(*plot, x, barWidth(canvas), bound), i);
      canvas.drawing.marks.push_back(
          markOf(variant, speedupFacts(variant), rect, slotRect(canvas, *plot, x, 1.0)));
    }
  });
  paintMissing(canvas, *plot, top * 0.4);
}

QString speedupSubtitle(const record::RunResult& run, const ChartOptions&) {
  for (const auto& variant : run.variants) {
    if (!variant.speedup) continue;
    for (const auto& base : run.variants) {
      if (base.id == variant.speedupBase) {
        return QObject::tr("ratio of medians; base: %1, median %2")
            .arg(shownName(base.name), secondsText(base.medianS));
      }
    }
  }
  return QObject::tr("no base was measured");
}

void speedupCsv(std::ostream& out, const record::RunResult& run) {
  out << "variant,repeat,device,speedup_x,base,bound_x,speedup_all_cores_x\n";
  for (const auto& variant : run.variants) {
    if (!variant.speedup) continue;
    out << csvField(variant.id) << ",,," << *variant.speedup << ',' << csvField(variant.speedupBase)
        << ',';
    if (variant.bound) out << variant.bound->speedup;
    out << ',';
    if (variant.speedupAllCores) out << *variant.speedupAllCores;
    out << '\n';
  }
}

}  // namespace

const ChartRow kSpeedupChart{
    .word = "speedup",
    .title = QT_TRANSLATE_NOOP("QObject", "Speed-up"),
    .shape = ChartShape::BarPerVariant,
    .empty = QT_TRANSLATE_NOOP("QObject", "Needs a measured base and another variant"),
    .subtitle = speedupSubtitle,
    .hasData =
        [](const record::RunResult& run, const ChartOptions&) {
          return anyVariant(run, [](const auto& variant) { return variant.speedup.has_value(); });
        },
    .draw = drawSpeedup,
    .csv = speedupCsv};

}  // namespace stagelane::ui::detail
