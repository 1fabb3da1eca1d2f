/// Bar charts of a run: execution time, the tutorial's picture of it, speed-up, memory.

#include <QPainter>
#include <algorithm>

#include "ui/models/formatting.h"
#include "ui/plots/chart_parts.h"

namespace stagelane::ui::detail {
namespace {

constexpr double kBarWidth = 0.62;
constexpr double kWideBar = 96.0;
constexpr double kAxisRoom = 80.0;

double perBar(const ChartCanvas& canvas) {
  const auto count = std::max<std::size_t>(1, canvas.run.variants.size());
  return (canvas.size.width() - kAxisRoom) / static_cast<double>(count);
}

std::vector<QString> namesOf(const record::RunResult& run) {
  std::vector<QString> names;
  for (const auto& variant : run.variants) names.push_back(qstring(variant.name));
  return names;
}

/// A unit in which the largest value is at least 1.
struct Unit {
  double factor = 1.0;
  QString name;
};
Unit secondsUnit(double largest) {
  if (largest >= 1.0 || largest <= 0.0) return {1.0, QStringLiteral("s")};
  if (largest >= 1e-3) return {1e3, QStringLiteral("ms")};
  return {1e6, QStringLiteral("µs")};
}
Unit bytesUnit(double largest) {
  if (largest >= 1024.0 * 1024.0 * 1024.0) return {1.0 / (1024.0 * 1024.0 * 1024.0), QStringLiteral("GiB")};
  if (largest >= 1024.0 * 1024.0) return {1.0 / (1024.0 * 1024.0), QStringLiteral("MiB")};
  return {1.0 / 1024.0, QStringLiteral("KiB")};
}

QString number(double value) {
  const int decimals = value >= 100.0 ? 0 : value >= 10.0 ? 1 : 2;
  return QString::number(value, 'f', decimals);
}

QCPBars* addBars(QCustomPlot& plot, const QColor& color) {
  auto* bars = new QCPBars(plot.xAxis, plot.yAxis);
  bars->setWidth(kBarWidth);
  bars->setPen(Qt::NoPen);
  bars->setBrush(color);
  return bars;
}

void addWhiskers(QCustomPlot& plot, QCPBars* bars, const QColor& color,
                 const std::vector<std::pair<double, double>>& values,
                 const std::vector<double>& deviations) {
  auto* whiskers = new QCPErrorBars(plot.xAxis, plot.yAxis);
  whiskers->setDataPlottable(bars);
  whiskers->setPen(QPen(color, 1.5));
  whiskers->setWhiskerWidth(10.0);
  whiskers->setSymbolGap(0.0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    bars->addData(values[i].first, values[i].second);
    whiskers->addData(deviations[i]);
  }
}

void addDots(QCustomPlot& plot, const QColor& color, double x, const std::vector<double>& values,
             double factor) {
  auto* graph = plot.addGraph();
  graph->setLineStyle(QCPGraph::lsNone);
  graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, color, 4.0));
  for (const double value : values) graph->addData(x, value * factor);
}

double largestSeconds(const record::RunResult& run) {
  double largest = 0.0;
  for (const auto& variant : run.variants) {
    if (measured(variant)) largest = std::max(largest, variant.meanS + variant.stdS);
  }
  return largest;
}

/// Slots of variants without a measurement: hatched, with their reason.
void paintMissing(const ChartCanvas& canvas, const QCustomPlot& plot, double height) {
  paintOver(canvas, [&](QPainter& painter) {
    painter.setFont(fontOf(TextSize::Caption, TextWeight::Bold));
    for (std::size_t i = 0; i < canvas.run.variants.size(); ++i) {
      const auto& variant = canvas.run.variants[i];
      if (measured(variant)) continue;
      const QRectF rect = barRect(plot, static_cast<double>(i), kBarWidth, height);
      paintFailed(painter, rect, canvas.theme);
      painter.setPen(canvas.theme.control.error);
      painter.drawText(QRectF(rect.center().x() - perBar(canvas) / 2.0, rect.top() - 34.0,
                              perBar(canvas), 32.0),
                       Qt::AlignHCenter | Qt::AlignBottom | Qt::TextWordWrap, shortReason(variant));
      canvas.drawing.marks.push_back(
          {qstring(variant.id), qstring(variant.name + ": " + variant.reason), rect});
    }
  });
}

QString timeLabel(const record::VariantResult& variant, const Unit& unit, bool wide) {
  const QString n = QStringLiteral("n = %1").arg(variant.seconds.size());
  const QString mean = number(variant.meanS * unit.factor);
  const QString std = number(variant.stdS * unit.factor);
  if (variant.seconds.size() < 2) return QStringLiteral("%1\n%2").arg(mean, n);
  return wide ? QStringLiteral("%1 ± %2 %3\n%4").arg(mean, std, unit.name, n)
              : QStringLiteral("%1\n± %2\n%3").arg(mean, std, n);
}

}  // namespace

void drawTime(const ChartCanvas& canvas) {
  const Unit unit = secondsUnit(largestSeconds(canvas.run));
  auto plot = makePlot(canvas, QStringLiteral("time a repeat (%1)").arg(unit.name));
  QCPBars* bars = addBars(*plot, canvas.theme.control.accent);
  std::vector<std::pair<double, double>> values;
  std::vector<double> deviations;
  const bool wide = perBar(canvas) >= kWideBar;
  for (std::size_t i = 0; i < canvas.run.variants.size(); ++i) {
    const auto& variant = canvas.run.variants[i];
    if (!measured(variant)) continue;
    const auto x = static_cast<double>(i);
    values.emplace_back(x, variant.meanS * unit.factor);
    deviations.push_back(variant.seconds.size() > 1 ? variant.stdS * unit.factor : qQNaN());
    if (canvas.options.singleRepeats) {
      addDots(*plot, canvas.theme.control.text, x, variant.seconds, unit.factor);
    }
    addLabel(*plot, x, (variant.meanS + variant.stdS) * unit.factor,
             timeLabel(variant, unit, wide) + (variant.noisy ? QStringLiteral("\nnoisy") : QString()),
             canvas.theme.control.text);
  }
  addWhiskers(*plot, bars, canvas.theme.control.text, values, deviations);
  const double top = std::max(1e-9, largestSeconds(canvas.run) * unit.factor) * 1.28;
  plot->yAxis->setRangeUpper(top);
  setVariantTicks(*plot, namesOf(canvas.run), canvas.size.width() - kAxisRoom);
  record(*plot, canvas);
  for (std::size_t i = 0; i < canvas.run.variants.size(); ++i) {
    const auto& variant = canvas.run.variants[i];
    if (!measured(variant)) continue;
    canvas.drawing.marks.push_back(
        {qstring(variant.id),
         QStringLiteral("%1: %2 ± %3, n = %4")
             .arg(qstring(variant.name), secondsText(variant.meanS), secondsText(variant.stdS))
             .arg(variant.seconds.size()),
         barRect(*plot, static_cast<double>(i), kBarWidth, variant.meanS * unit.factor)});
  }
  paintMissing(canvas, *plot, top * 0.5);
}

void drawTutorialTime(const ChartCanvas& canvas) {
  auto plot = makePlot(canvas, QStringLiteral("%1 Execution Time (Second)")
                                   .arg(canvas.run.name.find("ResNet-50") != std::string::npos
                                            ? QStringLiteral("ResNet50")
                                            : qstring(canvas.run.name)));
  struct Wanted {
    const char* strategy;
    QString name;
  };
  const std::vector<Wanted> wanted{{"model_parallel", QStringLiteral("Model Parallel")},
                                   {"single", QStringLiteral("Single GPU")},
                                   {"pipeline", QStringLiteral("Pipelining Model Parallel")}};
  const bool onGpu = std::any_of(canvas.run.devices.begin(), canvas.run.devices.end(),
                                 [](const auto& id) { return id.rfind("cuda", 0) == 0; });
  std::vector<QString> names;
  std::vector<const record::VariantResult*> shown;
  for (const Wanted& entry : wanted) {
    const record::VariantResult* best = nullptr;
    for (const auto& variant : canvas.run.variants) {
      const bool plain = variant.id.rfind("baseline-", 0) != 0 && variant.id != "single-all-cores";
      if (variant.strategy != entry.strategy || !measured(variant) || !plain) continue;
      if (best == nullptr || variant.meanS < best->meanS) best = &variant;
    }
    if (best == nullptr) continue;
    shown.push_back(best);
    const bool single = entry.strategy == std::string_view("single");
    names.push_back(single && !onGpu ? QStringLiteral("Single Device") : entry.name);
  }
  QColor fill = canvas.theme.control.accent;
  fill.setAlphaF(0.5F);
  QCPBars* bars = addBars(*plot, fill);
  bars->setWidth(0.6);
  std::vector<std::pair<double, double>> values;
  std::vector<double> deviations;
  double largest = 0.0;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    values.emplace_back(static_cast<double>(i), shown[i]->meanS);
    deviations.push_back(shown[i]->stdS);
    largest = std::max(largest, shown[i]->meanS + shown[i]->stdS);
  }
  addWhiskers(*plot, bars, canvas.theme.control.error, values, deviations);
  plot->yAxis->setRangeUpper(std::max(1e-9, largest) * 1.1);
  setVariantTicks(*plot, names, canvas.size.width() - kAxisRoom);
  record(*plot, canvas);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    canvas.drawing.marks.push_back({qstring(shown[i]->id), qstring(shown[i]->name),
                                    barRect(*plot, static_cast<double>(i), 0.6, shown[i]->meanS)});
  }
}

void drawSpeedup(const ChartCanvas& canvas) {
  auto plot = makePlot(canvas, QStringLiteral("speed-up (×)"));
  QCPBars* bars = addBars(*plot, canvas.theme.control.accent);
  const auto devices = static_cast<double>(std::max<std::size_t>(1, canvas.run.devices.size()));
  double largest = devices;
  const bool wide = perBar(canvas) >= kWideBar;
  for (std::size_t i = 0; i < canvas.run.variants.size(); ++i) {
    const auto& variant = canvas.run.variants[i];
    if (!variant.speedup) continue;
    const auto x = static_cast<double>(i);
    bars->addData(x, *variant.speedup);
    largest = std::max(largest, *variant.speedup);
    if (variant.bound) largest = std::max(largest, variant.bound->speedup);
    QString text = variant.id == variant.speedupBase
                       ? QStringLiteral("1.00×\nbase")
                       : QStringLiteral("%1×").arg(number(*variant.speedup));
    if (variant.bound && variant.id != variant.speedupBase) {
      text += (wide ? QStringLiteral("\nbound %1×") : QStringLiteral("\nof %1×"))
                  .arg(number(variant.bound->speedup));
    }
    addLabel(*plot, x, std::max(*variant.speedup, variant.bound ? variant.bound->speedup : 0.0), text,
             canvas.theme.control.text);
  }
  const double top = largest * 1.25;
  plot->yAxis->setRangeUpper(top);
  setVariantTicks(*plot, namesOf(canvas.run), canvas.size.width() - kAxisRoom);
  record(*plot, canvas);
  paintOver(canvas, [&](QPainter& painter) {
    const QRectF area = plot->axisRect()->rect();
    const double y = plot->yAxis->coordToPixel(devices);
    painter.setPen(QPen(canvas.theme.control.text, 1.2, Qt::DashLine));
    painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    painter.setFont(fontOf(TextSize::Caption));
    painter.drawText(QRectF(area.right() - 120.0, y - 17.0, 118.0, 15.0), Qt::AlignRight,
                     countedText(static_cast<std::int64_t>(devices), QStringLiteral("device"),
                                 QStringLiteral("devices")));
    painter.setPen(QPen(canvas.theme.control.text, 1.4, Qt::DotLine));
    for (std::size_t i = 0; i < canvas.run.variants.size(); ++i) {
      const auto& variant = canvas.run.variants[i];
      if (!variant.bound || variant.id == variant.speedupBase) continue;
      const QRectF rect = barRect(*plot, static_cast<double>(i), kBarWidth, variant.bound->speedup);
      painter.drawLine(rect.topLeft() - QPointF(8, 0), rect.topRight() + QPointF(8, 0));
    }
  });
  for (std::size_t i = 0; i < canvas.run.variants.size(); ++i) {
    const auto& variant = canvas.run.variants[i];
    if (!variant.speedup) continue;
    QString text = QStringLiteral("%1: %2").arg(qstring(variant.name), timesText(*variant.speedup));
    if (variant.bound) text += QStringLiteral(", bound %1").arg(timesText(variant.bound->speedup));
    if (variant.speedupAllCores) {
      text += QStringLiteral(", to all cores %1").arg(timesText(*variant.speedupAllCores));
    }
    canvas.drawing.marks.push_back(
        {qstring(variant.id), text,
         barRect(*plot, static_cast<double>(i), kBarWidth, *variant.speedup)});
  }
  paintMissing(canvas, *plot, top * 0.4);
}

void drawMemory(const ChartCanvas& canvas) {
  double largest = 0.0;
  for (const auto& variant : canvas.run.variants) {
    for (const auto& device : variant.devices) {
      largest = std::max(largest, static_cast<double>(device.peakBytes));
    }
  }
  const Unit unit = bytesUnit(largest);
  auto plot = makePlot(canvas, QStringLiteral("peak memory (%1)").arg(unit.name));
  plot->yAxis->setRangeUpper(std::max(1e-9, largest * unit.factor) * 1.18);
  setVariantTicks(*plot, namesOf(canvas.run), canvas.size.width() - kAxisRoom);
  record(*plot, canvas);
  paintOver(canvas, [&](QPainter& painter) {
    painter.setFont(fontOf(TextSize::Caption));
    for (std::size_t i = 0; i < canvas.run.variants.size(); ++i) {
      const auto& variant = canvas.run.variants[i];
      const auto count = static_cast<double>(std::max<std::size_t>(1, variant.devices.size()));
      const double width = 0.8 / count;
      for (std::size_t d = 0; d < variant.devices.size(); ++d) {
        const auto& device = variant.devices[d];
        const double x = static_cast<double>(i) - 0.4 + width * (static_cast<double>(d) + 0.5);
        const double value = static_cast<double>(device.peakBytes) * unit.factor;
        const QRectF rect = barRect(*plot, x, width * 0.86, value);
        QColor fill = canvas.theme.control.accent;
        fill.setAlphaF(d % 2 == 0 ? 0.9F : 0.5F);
        painter.fillRect(rect, fill);
        painter.setPen(canvas.theme.control.text);
        painter.drawText(QRectF(rect.center().x() - 40.0, rect.top() - 16.0, 80.0, 14.0),
                         Qt::AlignCenter, rect.width() > 22.0 ? number(value) : QString());
        canvas.drawing.marks.push_back(
            {qstring(variant.id),
             QStringLiteral("%1, %2: %3").arg(qstring(variant.name), qstring(device.id),
                                              bytesText(device.peakBytes)),
             rect});
      }
    }
  });
  paintMissing(canvas, *plot, plot->yAxis->range().upper * 0.4);
}

}  // namespace stagelane::ui::detail
