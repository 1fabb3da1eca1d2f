/// Bar charts of a run: execution time, the tutorial's picture of it, speed-up, memory.

#include <QPainter>
#include <algorithm>

#include "ui/models/formatting.h"
#include "ui/plots/chart_parts.h"

namespace stagelane::ui::detail {
namespace {

constexpr double kBarWidth = 0.62;
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

Unit bytesUnit(double largest) {
  if (largest >= 1024.0 * 1024.0 * 1024.0)
    return {1.0 / (1024.0 * 1024.0 * 1024.0), QStringLiteral("GiB")};
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
    // A time below 0 there is not, however the repeats are spread.
    whiskers->addData(std::min(deviations[i], values[i].second), deviations[i]);
  }
}

void addDots(QCustomPlot& plot, const QColor& color, double x, const std::vector<double>& values,
             double factor) {
  auto* graph = plot.addGraph();
  graph->setLineStyle(QCPGraph::lsNone);
  graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, color, 4.0));
  for (const double value : values) graph->addData(x, value * factor);
}

/// The top of a bar, its whisker and its dots.
double highestPoint(const record::VariantResult& variant, const ChartOptions& options) {
  double highest = variant.meanS + variant.stdS;
  if (options.singleRepeats) {
    for (const double seconds : variant.seconds) highest = std::max(highest, seconds);
  }
  return highest;
}

double largestSeconds(const record::RunResult& run) {
  double largest = 0.0;
  for (const auto& variant : run.variants) {
    if (measured(variant)) {
      largest = std::max(largest, highestPoint(variant, {.singleRepeats = true}));
    }
  }
  return largest;
}

/// Slots of variants without a measurement: hatched, with their reason.
void paintMissing(const ChartCanvas& canvas, const QCustomPlot& plot, double height) {
  paintOver(canvas, [&](QPainter& painter) {
    for (std::size_t i = 0; i < canvas.run.variants.size(); ++i) {
      const auto& variant = canvas.run.variants[i];
      if (measured(variant)) continue;
      const QColor color = missingColor(variant, canvas.theme);
      const QRectF rect = barRect(plot, static_cast<double>(i), kBarWidth, height);
      paintMissingSlot(painter, rect, color);
      const QString reason = shortReason(variant);
      std::vector<LabelLine> lines{{reason, color, true}};
      if (!labelFits(lines, perBar(canvas))) {
        lines.clear();
        for (const QString& word : reason.split(QChar(u' '))) lines.push_back({word, color, true});
      }
      paintLabel(painter, rect.center().x(), rect.top() - 3.0, lines, canvas.theme.control.panel);
      QString text = qstring(variant.name) + QStringLiteral(": ") + reason;
      if (!variant.reason.empty()) text += QStringLiteral(" (%1)").arg(qstring(variant.reason));
      canvas.drawing.marks.push_back({qstring(variant.id), text, rect});
    }
  });
}

std::vector<LabelLine> timeLabel(const ChartCanvas& canvas, const record::VariantResult& variant,
                                 const Unit& unit) {
  const ControlColors& colors = canvas.theme.control;
  const QString mean = number(variant.meanS * unit.factor);
  const QString deviation = number(variant.stdS * unit.factor);
  std::vector<LabelLine> lines;
  if (variant.seconds.size() < 2) {
    lines.push_back({QStringLiteral("%1 %2").arg(mean, unit.name), colors.text, true});
  } else {
    lines.push_back(
        {QStringLiteral("%1 ± %2 %3").arg(mean, deviation, unit.name), colors.text, true});
    if (!labelFits(lines, perBar(canvas) - 4.0)) {
      lines = {{mean, colors.text, true}, {QStringLiteral("± ") + deviation, colors.text}};
    }
  }
  lines.push_back({QStringLiteral("n = %1").arg(variant.seconds.size()), colors.muted});
  if (variant.noisy) lines.push_back({QStringLiteral("noisy"), colors.warning});
  return lines;
}

QString timeTip(const record::VariantResult& variant) {
  if (variant.seconds.size() < 2) {
    return QStringLiteral("%1: %2, one repeat")
        .arg(qstring(variant.name), secondsText(variant.meanS));
  }
  return QStringLiteral("%1: %2 ± %3, n = %4%5")
      .arg(qstring(variant.name), secondsText(variant.meanS), secondsText(variant.stdS))
      .arg(variant.seconds.size())
      .arg(variant.noisy ? QStringLiteral(", noisy") : QString());
}

/// Room over the bars for labels of up to `lines` lines: the top of the axis for `largest`.
double topFor(const ChartCanvas& canvas, double largest, std::size_t lines) {
  const double plotHeight = std::max(60.0, canvas.size.height() - 70.0);
  const double room = std::min(0.6, (labelHeight(lines) + 10.0) / plotHeight);
  return std::max(1e-9, largest) / (1.0 - room);
}

}  // namespace

void drawTime(const ChartCanvas& canvas) {
  const Unit unit = secondsUnit(largestSeconds(canvas.run));
  auto plot = makePlot(canvas, QStringLiteral("time a repeat (%1)").arg(unit.name));
  QCPBars* bars = addBars(*plot, canvas.theme.control.accent);
  std::vector<std::pair<double, double>> values;
  std::vector<double> deviations;
  std::size_t mostLines = 1;
  for (std::size_t i = 0; i < canvas.run.variants.size(); ++i) {
    const auto& variant = canvas.run.variants[i];
    if (!measured(variant)) continue;
    const auto x = static_cast<double>(i);
    values.emplace_back(x, variant.meanS * unit.factor);
    deviations.push_back(variant.seconds.size() > 1 ? variant.stdS * unit.factor : qQNaN());
    mostLines = std::max(mostLines, timeLabel(canvas, variant, unit).size());
    if (canvas.options.singleRepeats) {
      addDots(*plot, canvas.theme.control.text, x, variant.seconds, unit.factor);
    }
  }
  addWhiskers(*plot, bars, canvas.theme.control.text, values, deviations);
  const double top = topFor(canvas, largestSeconds(canvas.run) * unit.factor, mostLines);
  plot->yAxis->setRangeUpper(top);
  setVariantTicks(*plot, namesOf(canvas.run), canvas.size.width() - kAxisRoom);
  record(*plot, canvas);
  paintOver(canvas, [&](QPainter& painter) {
    for (std::size_t i = 0; i < canvas.run.variants.size(); ++i) {
      const auto& variant = canvas.run.variants[i];
      if (!measured(variant)) continue;
      const auto x = static_cast<double>(i);
      const QRectF rect = barRect(*plot, x, kBarWidth, variant.meanS * unit.factor);
      const double above =
          plot->yAxis->coordToPixel(highestPoint(variant, canvas.options) * unit.factor);
      paintLabel(painter, rect.center().x(), above - 5.0, timeLabel(canvas, variant, unit),
                 canvas.theme.control.panel);
      canvas.drawing.marks.push_back({qstring(variant.id), timeTip(variant), rect});
    }
  });
  paintMissing(canvas, *plot, top * 0.45);
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

namespace {

/// "1.56× of 2×", "bound 1.67×"; shorter where the bar is narrow.
std::vector<LabelLine> speedupLabel(const record::VariantResult& variant, double devices,
                                    const QColor& color, double width) {
  const QString times = timesText(*variant.speedup);
  if (variant.id == variant.speedupBase)
    return {{times, color, true}, {QStringLiteral("base"), color}};
  std::vector<LabelLine> lines{
      {QStringLiteral("%1 of %2×").arg(times).arg(static_cast<int>(devices)), color, true}};
  if (!labelFits(lines, width)) lines.front().text = times;
  if (!variant.bound) return lines;
  const QString bound = timesText(variant.bound->speedup);
  lines.push_back({QStringLiteral("bound ") + bound, color});
  if (!labelFits({lines.back()}, width)) {
    lines.back().text = QStringLiteral("bound");
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
  const QString text = countedText(static_cast<std::int64_t>(devices), QStringLiteral("device"),
                                   QStringLiteral("devices"));
  const double width = QFontMetricsF(fontOf(TextSize::Caption)).horizontalAdvance(text);
  paintLabel(painter, area.right() - width / 2.0 - 2.0, y - 2.0,
             {{text, canvas.theme.control.muted}}, {});
  painter.setPen(QPen(canvas.theme.control.text, 1.4, Qt::DotLine));
  for (std::size_t i = 0; i < canvas.run.variants.size(); ++i) {
    const auto& variant = canvas.run.variants[i];
    if (!variant.bound || !variant.speedup || variant.id == variant.speedupBase) continue;
    const QRectF rect = barRect(plot, static_cast<double>(i), kBarWidth, variant.bound->speedup);
    const double over = std::min(8.0, rect.width() * 0.2);
    painter.drawLine(rect.topLeft() - QPointF(over, 0), rect.topRight() + QPointF(over, 0));
  }
}

QString speedupTip(const record::VariantResult& variant) {
  QString text = QStringLiteral("%1: %2").arg(qstring(variant.name), timesText(*variant.speedup));
  if (variant.bound) text += QStringLiteral(", bound %1").arg(timesText(variant.bound->speedup));
  if (variant.speedupAllCores) {
    text += QStringLiteral("; to one worker with all cores %1")
                .arg(timesText(*variant.speedupAllCores));
  }
  return text;
}

/// The label inside the bar where it fits, else above all that stands over it.
void paintSpeedupBar(QPainter& painter, const ChartCanvas& canvas, const QRectF& rect,
                     const QRectF& boundRect, std::size_t index) {
  const auto& variant = canvas.run.variants[index];
  const auto devices = static_cast<double>(std::max<std::size_t>(1, canvas.run.devices.size()));
  const auto inside =
      speedupLabel(variant, devices, canvas.theme.control.onAccent, rect.width() - 4.0);
  const double height = labelHeight(inside.size());
  if (labelFits(inside, rect.width()) && rect.height() >= height + 10.0) {
    // A bound below the bar's top is a line through it; the label goes under that line.
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

}  // namespace

void drawSpeedup(const ChartCanvas& canvas) {
  auto plot = makePlot(canvas, QStringLiteral("speed-up (×)"));
  QCPBars* bars = addBars(*plot, canvas.theme.control.accent);
  const auto devices = static_cast<double>(std::max<std::size_t>(1, canvas.run.devices.size()));
  double largest = devices;
  for (std::size_t i = 0; i < canvas.run.variants.size(); ++i) {
    const auto& variant = canvas.run.variants[i];
    if (!variant.speedup) continue;
    bars->addData(static_cast<double>(i), *variant.speedup);
    largest = std::max({largest, *variant.speedup, variant.bound ? variant.bound->speedup : 0.0});
  }
  const double top = topFor(canvas, largest, 2);
  plot->yAxis->setRangeUpper(top);
  setVariantTicks(*plot, namesOf(canvas.run), canvas.size.width() - kAxisRoom);
  record(*plot, canvas);
  paintOver(canvas, [&](QPainter& painter) {
    paintSpeedupLimits(painter, canvas, *plot, devices);
    for (std::size_t i = 0; i < canvas.run.variants.size(); ++i) {
      const auto& variant = canvas.run.variants[i];
      if (!variant.speedup) continue;
      const auto x = static_cast<double>(i);
      const QRectF rect = barRect(*plot, x, kBarWidth, *variant.speedup);
      const double bound = variant.bound ? variant.bound->speedup : 0.0;
      paintSpeedupBar(painter, canvas, rect, barRect(*plot, x, kBarWidth, bound), i);
      canvas.drawing.marks.push_back({qstring(variant.id), speedupTip(variant), rect});
    }
  });
  paintMissing(canvas, *plot, top * 0.4);
}

namespace {

/// One bar a device, side by side in the variant's slot.
void paintMemoryBars(QPainter& painter, const ChartCanvas& canvas, const QCustomPlot& plot,
                     const Unit& unit, std::size_t index) {
  const auto& variant = canvas.run.variants[index];
  const auto count = static_cast<double>(std::max<std::size_t>(2, variant.devices.size()));
  const double width = 0.8 / count;
  const double first = -width * static_cast<double>(variant.devices.size()) / 2.0;
  for (std::size_t d = 0; d < variant.devices.size(); ++d) {
    const auto& device = variant.devices[d];
    const double x = static_cast<double>(index) + first + width * (static_cast<double>(d) + 0.5);
    const double value = static_cast<double>(device.peakBytes) * unit.factor;
    const QRectF rect = barRect(plot, x, width * 0.86, value);
    const auto known = std::find(canvas.run.devices.begin(), canvas.run.devices.end(), device.id);
    const auto number = known - canvas.run.devices.begin();
    QColor fill = canvas.theme.control.accent;
    fill.setAlphaF(number % 2 == 0 ? 0.88F : 0.5F);
    painter.fillRect(rect, fill);
    const QString text = QString::number(value, 'f', value >= 100.0 ? 0 : 1);
    paintLabel(painter, rect.center().x(), rect.top() - 2.0,
               {{text, canvas.theme.control.text, labelFits({{text, {}, true}}, rect.width())}},
               {});
    if (rect.height() > 24.0 && rect.width() > 10.0 && known != canvas.run.devices.end()) {
      paintLabel(painter, rect.center().x(), rect.bottom() - 3.0,
                 {{QString::number(number),
                   number % 2 == 0 ? canvas.theme.control.onAccent : canvas.theme.control.text}},
                 {});
    }
    canvas.drawing.marks.push_back(
        {qstring(variant.id),
         QStringLiteral("%1, %2: peak %3")
             .arg(qstring(variant.name), qstring(device.id), bytesText(device.peakBytes)),
         rect});
  }
}

/// A dashed line at what the device may hold, across its bar; red where the peak is above.
void paintBudgets(QPainter& painter, const ChartCanvas& canvas, const QCustomPlot& plot,
                  const Unit& unit, std::size_t index) {
  const auto& variant = canvas.run.variants[index];
  const auto count = static_cast<double>(std::max<std::size_t>(2, variant.devices.size()));
  const double width = 0.8 / count;
  const double first = -width * static_cast<double>(variant.devices.size()) / 2.0;
  for (std::size_t d = 0; d < variant.devices.size(); ++d) {
    const auto budget = canvas.options.budgets.find(variant.devices[d].id);
    if (budget == canvas.options.budgets.end()) continue;
    const double x = static_cast<double>(index) + first + width * (static_cast<double>(d) + 0.5);
    const QRectF rect = barRect(plot, x, width, static_cast<double>(budget->second) * unit.factor);
    const bool over = variant.devices[d].peakBytes > budget->second;
    painter.setPen(
        QPen(over ? canvas.theme.control.error : canvas.theme.control.text, 1.4, Qt::DashLine));
    painter.drawLine(rect.topLeft(), rect.topRight());
  }
}

/// "0 = cpu:0 (budget 8 GiB), 1 = cpu:1".
QString deviceNumbers(const record::RunResult& run, const ChartOptions& options) {
  QStringList parts;
  for (std::size_t i = 0; i < run.devices.size(); ++i) {
    QString text = QStringLiteral("%1 = %2").arg(i).arg(qstring(run.devices[i]));
    if (const auto budget = options.budgets.find(run.devices[i]); budget != options.budgets.end()) {
      text += QStringLiteral(" (budget %1)").arg(bytesText(budget->second));
    }
    parts << text;
  }
  return parts.join(QStringLiteral(", "));
}

}  // namespace

void drawMemory(const ChartCanvas& canvas) {
  double largest = 0.0;
  double budgets = 0.0;
  for (const auto& variant : canvas.run.variants) {
    for (const auto& device : variant.devices) {
      largest = std::max(largest, static_cast<double>(device.peakBytes));
      const auto budget = canvas.options.budgets.find(device.id);
      // A budget far above all bars would flatten them; its figure stands in the legend.
      if (budget != canvas.options.budgets.end()) {
        budgets = std::max(budgets, static_cast<double>(budget->second));
      }
    }
  }
  if (budgets <= 4.0 * largest) largest = std::max(largest, budgets);
  const Unit unit = bytesUnit(largest);
  auto plot = makePlot(canvas, QStringLiteral("peak memory (%1)").arg(unit.name));
  const double top = topFor(canvas, largest * unit.factor, 3);
  plot->yAxis->setRangeUpper(top);
  setVariantTicks(*plot, namesOf(canvas.run), canvas.size.width() - kAxisRoom);
  record(*plot, canvas);
  paintOver(canvas, [&](QPainter& painter) {
    const QRectF area = plot->axisRect()->rect();
    painter.setFont(fontOf(TextSize::Caption));
    painter.setPen(canvas.theme.control.muted);
    painter.drawText(QRectF(area.left() + 8.0, area.top(), area.width() - 16.0, 16.0),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(painter.font())
                         .elidedText(deviceNumbers(canvas.run, canvas.options), Qt::ElideRight,
                                     area.width() - 16.0));
    for (std::size_t i = 0; i < canvas.run.variants.size(); ++i) {
      paintMemoryBars(painter, canvas, *plot, unit, i);
      if (budgets <= largest) paintBudgets(painter, canvas, *plot, unit, i);
    }
  });
  paintMissing(canvas, *plot, top * 0.4);
}

}  // namespace stagelane::ui::detail
