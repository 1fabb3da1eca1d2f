/// Execution time as bars, its tutorial style, and helpers that the bar charts share.

#include <QPainter>
#include <algorithm>

#include "engine/base/csv.h"
#include "engine/plan/baselines.h"
#include "engine/plan/device.h"
#include "engine/plan/strategies.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/text/short_name.h"
#include "ui/plots/chart_row.h"
#include "ui/session/run/run_table_model.h"
#include "ui/session/run/run_words.h"

namespace stagelane::ui::detail {

double perBar(const ChartCanvas& canvas) {
  const auto count = std::max<std::size_t>(1, canvas.run.variants.size());
  return (canvas.size.width() - kAxisRoom) / static_cast<double>(count);
}

void setVariantNames(QCustomPlot& plot, const ChartCanvas& canvas) {
  std::vector<QString> names;
  for (const auto& variant : canvas.run.variants) names.push_back(qstring(variant.name));
  setVariantTicks(plot, names, canvas.size.width() - kAxisRoom);
}

double barWidth(const ChartCanvas& canvas, double share) {
  return std::min(share, kMostBarWidth / std::max(1.0, perBar(canvas)));
}

QCPBars* addBars(QCustomPlot& plot, const QColor& color, double width) {
  auto* bars = new QCPBars(plot.xAxis, plot.yAxis);
  bars->setWidth(width);
  bars->setPen(Qt::NoPen);
  bars->setBrush(color);
  return bars;
}

QRectF slotRect(const ChartCanvas& canvas, const QCustomPlot& plot, double x, double width) {
  const QRectF area = plot.axisRect()->rect();
  const double left = std::max(area.left(), plot.xAxis->coordToPixel(x - width / 2.0));
  const double right = std::min(area.right(), plot.xAxis->coordToPixel(x + width / 2.0));
  return QRectF(QPointF(left, area.top()), QPointF(right, canvas.size.height()));
}

ChartMark markOf(const record::VariantResult& variant, QStringList facts, const QRectF& rect,
                 const QRectF& target) {
  return {qstring(variant.id), {}, shownName(variant.name), std::move(facts), rect, target};
}

void nameDevice(ChartMark& mark, const record::DeviceResult& device) {
  mark.deviceId = qstring(device.id);
  mark.name += u", "_s + mark.deviceId;
}

namespace {

/// Writes as much of the reason over the slot as fits, because printed charts have no tooltips.
void paintReason(const ChartCanvas& canvas, QPainter& painter, const QRectF& slot,
                 const record::VariantResult& variant) {
  constexpr double kMargin = 4.0;
  QStringList words =
      wrappedLines(restOfReason(variant), kBarShare * perBar(canvas) - 2.0 * kMargin);
  while (!words.isEmpty() &&
         labelHeight(static_cast<std::size_t>(words.size())) + 2.0 * kMargin > slot.height()) {
    words.removeLast();
  }
  std::vector<LabelLine> lines;
  for (const QString& line : words) lines.push_back({line, canvas.theme.control.text});
  paintLabel(painter, slot.center().x(), slot.top() + kMargin + labelHeight(lines.size()), lines,
             canvas.theme.control.panel);
}

}  // namespace

void paintMissing(const ChartCanvas& canvas, const QCustomPlot& plot, double height) {
  paintOver(canvas, [&](QPainter& painter) {
    for (std::size_t i = 0; i < canvas.run.variants.size(); ++i) {
      const auto& variant = canvas.run.variants[i];
      if (measured(variant)) continue;
      const QColor color = missingColor(variant, canvas.theme);
      const auto x = static_cast<double>(i);
      const QRectF rect = barRect(plot, x, barWidth(canvas), height);
      paintMissingSlot(painter, rect, color);
      paintReason(canvas, painter, rect, variant);
      const QString reason = shortReason(variant);
      std::vector<LabelLine> lines{{reason, color, true}};
      if (!labelFits(lines, perBar(canvas))) {
        lines.clear();
        for (const QString& word : reason.split(QChar(u' '))) lines.push_back({word, color, true});
      }
      paintLabel(painter, rect.center().x(), rect.top() - 3.0, lines, canvas.theme.control.panel);
      canvas.drawing.marks.push_back(
          markOf(variant, missingFacts(variant), rect, slotRect(canvas, plot, x, 1.0)));
    }
  });
}

double topFor(const ChartCanvas& canvas, double largest, std::size_t lines) {
  const double plotHeight = std::max(60.0, canvas.size.height() - 70.0);
  const double room = std::min(0.6, (labelHeight(lines) + 10.0) / plotHeight);
  return std::max(1e-9, largest) / (1.0 - room);
}

namespace {

QString number(double value) {
  const int decimals = value >= 100.0 ? 0 : value >= 10.0 ? 1 : 2;
  return numberText(value, decimals);
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
    // Times are never negative, whatever the deviation.
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

/// The top of a bar with its whisker and dots.
double highestPoint(const record::VariantResult& variant, const ChartOptions& options) {
  double highest = variant.meanS + variant.stdS;
  if (options.singleRepeats) {
    for (const double seconds : variant.seconds) highest = std::max(highest, seconds);
  }
  return highest;
}

/// Without dots, a slow repeat does not shrink the bars.
double largestSeconds(const record::RunResult& run, const ChartOptions& options) {
  double largest = 0.0;
  for (const auto& variant : run.variants) {
    if (measured(variant)) largest = std::max(largest, highestPoint(variant, options));
  }
  return largest;
}

/// "n = 1085 of 3000" or a shorter form between narrow bars; hatching marks an incomplete bar.
QString countThatFits(const record::VariantResult& variant, const ChartCanvas& canvas) {
  const QString done = QString::number(variant.seconds.size());
  const QString whole = countOfRepeats(variant, canvas.options);
  for (const QString& text : {whole, u"n = "_s + done}) {
    if (labelFits({{text, canvas.theme.control.muted}}, perBar(canvas) - 4.0)) return text;
  }
  return done;
}

std::vector<LabelLine> timeLabel(const ChartCanvas& canvas, const record::VariantResult& variant,
                                 const Unit& unit) {
  const ControlColors& colors = canvas.theme.control;
  const QString mean = number(variant.meanS * unit.factor);
  const QString deviation = number(variant.stdS * unit.factor);
  std::vector<LabelLine> lines;
  if (variant.seconds.size() < 2) {
    lines.push_back({u"%1 %2"_s.arg(mean, unit.name), colors.text, true});
  } else {
    lines.push_back({u"%1 ± %2 %3"_s.arg(mean, deviation, unit.name), colors.text, true});
    if (!labelFits(lines, perBar(canvas) - 4.0)) {
      lines = {{mean, colors.text, true}, {u"± "_s + deviation, colors.text}};
    }
  }
  lines.push_back({countThatFits(variant, canvas),
                   isCutShort(variant, canvas.options) ? colors.warning : colors.muted});
  if (variant.noisy) lines.push_back({QObject::tr("noisy"), colors.warning});
  return lines;
}

QStringList timeFacts(const record::VariantResult& variant, const ChartOptions& options) {
  const bool one = variant.seconds.size() < 2;
  QStringList facts =
      one ? QStringList{secondsText(variant.meanS), QObject::tr("one repeat")}
          : QStringList{spreadText(variant.meanS, variant.stdS), countOfRepeats(variant, options)};
  if (variant.noisy) facts << QObject::tr("noisy");
  if (isCutShort(variant, options)) facts << endText(variant);
  return facts;
}

void drawTime(const ChartCanvas& canvas) {
  const double largest = largestSeconds(scaleRun(canvas), canvas.options);
  const Unit unit = secondsUnit(largest);
  auto plot = makePlot(canvas, QObject::tr("time per repeat (%1)").arg(unit.name));
  QCPBars* bars = addBars(*plot, canvas.theme.control.accent, barWidth(canvas));
  std::vector<std::pair<double, double>> values;
  std::vector<double> deviations;
  std::size_t mostLines = 1;
  for (std::size_t i = 0; i < canvas.run.variants.size(); ++i) {
    const auto& variant = canvas.run.variants[i];
    if (!measured(variant)) continue;
    const auto x = static_cast<double>(i);
    values.emplace_back(x, variant.meanS * unit.factor);
    deviations.push_back(variant.seconds.size() > 1 ? variant.stdS * unit.factor : qQNaN());
    if (canvas.options.singleRepeats) {
      addDots(*plot, canvas.theme.control.text, x, variant.seconds, unit.factor);
    }
  }
  addWhiskers(*plot, bars, canvas.theme.control.text, values, deviations);
  for (const auto& variant : scaleRun(canvas).variants) {
    if (measured(variant)) mostLines = std::max(mostLines, timeLabel(canvas, variant, unit).size());
  }
  const double top = topFor(canvas, largest * unit.factor, mostLines);
  plot->yAxis->setRangeUpper(top);
  setVariantNames(*plot, canvas);
  record(*plot, canvas);
  paintOver(canvas, [&](QPainter& painter) {
    for (std::size_t i = 0; i < canvas.run.variants.size(); ++i) {
      const auto& variant = canvas.run.variants[i];
      if (!measured(variant)) continue;
      const auto x = static_cast<double>(i);
      const QRectF rect = barRect(*plot, x, barWidth(canvas), variant.meanS * unit.factor);
      if (isCutShort(variant, canvas.options)) paintCutShort(canvas, painter, rect);
      const double above =
          plot->yAxis->coordToPixel(highestPoint(variant, canvas.options) * unit.factor);
      paintLabel(painter, rect.center().x(), above - 5.0, timeLabel(canvas, variant, unit),
                 canvas.theme.control.panel);
      canvas.drawing.marks.push_back(markOf(variant, timeFacts(variant, canvas.options), rect,
                                            slotRect(canvas, *plot, x, 1.0)));
    }
  });
  paintMissing(canvas, *plot, top * 0.45);
}

// As in the tutorial's picture, which is 640 pixels wide and has three bars.
constexpr double kTutorialBarShare = 0.6;
constexpr double kTutorialBarWidth = 104.0;

/// Place in the tutorial's picture, after its three bars those of strategies that it does not have;
/// -1: not in it.
int tutorialBar(const plan::StrategyRow& strategy) {
  if (strategy.pipelined) return 2;
  if (strategy.replicates) return strategy.ownProcesses ? 4 : 3;
  if (strategy.asynchronous) return 5;
  switch (strategy.baseline) {
    case plan::Baseline::First: return 1;
    case plan::Baseline::WhenNone: return 0;
    case plan::Baseline::None: break;
  }
  return -1;
}

void drawTutorialTime(const ChartCanvas& canvas) {
  auto plot = makePlot(canvas, u"%1 Execution Time (Second)"_s.arg(
                                   canvas.run.name.find("ResNet-50") != std::string::npos
                                       ? u"ResNet50"_s
                                       : shownName(canvas.run.name)));
  const QStringList titles{u"Model Parallel"_s,
                           u"Single GPU"_s,
                           u"Pipelining Model Parallel"_s,
                           u"Data Parallel"_s,
                           u"Distributed Data Parallel"_s,
                           u"Hogwild"_s};
  const bool onGpu = std::any_of(canvas.run.devices.begin(), canvas.run.devices.end(),
                                 [](const std::string& id) { return plan::isGpu({id}); });
  std::vector<QString> names;
  std::vector<const record::VariantResult*> shown;
  for (int bar = 0; bar < titles.size(); ++bar) {
    const record::VariantResult* best = nullptr;
    for (const auto& variant : canvas.run.variants) {
      const bool plain = !plan::isImplicitId(variant.id);
      const bool wanted = tutorialBar(plan::strategyRow(variant.strategy)) == bar;
      if (!wanted || !measured(variant) || !plain) continue;
      if (best == nullptr || variant.medianS < best->medianS) best = &variant;
    }
    if (best == nullptr) continue;
    shown.push_back(best);
    const bool single = bar == 1;
    names.push_back(single && !onGpu ? u"Single Device"_s : titles[bar]);
  }
  QColor fill = canvas.theme.control.accent;
  fill.setAlphaF(0.5F);
  const double slot = (canvas.size.width() - kAxisRoom) /
                      static_cast<double>(std::max<std::size_t>(1, shown.size()));
  const double width = std::min(kTutorialBarShare, kTutorialBarWidth / std::max(1.0, slot));
  QCPBars* bars = addBars(*plot, fill, width);
  std::vector<std::pair<double, double>> values;
  std::vector<double> deviations;
  double largest = 0.0;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    values.emplace_back(static_cast<double>(i), shown[i]->meanS);
    deviations.push_back(shown[i]->seconds.size() > 1 ? shown[i]->stdS : qQNaN());
    largest = std::max(largest, shown[i]->meanS + shown[i]->stdS);
  }
  addWhiskers(*plot, bars, canvas.theme.control.error, values, deviations);
  plot->yAxis->setRangeUpper(std::max(1e-9, largest) * 1.1);
  setVariantTicks(*plot, names, canvas.size.width() - kAxisRoom);
  record(*plot, canvas);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const auto x = static_cast<double>(i);
    canvas.drawing.marks.push_back(markOf(*shown[i], timeFacts(*shown[i], canvas.options),
                                          barRect(*plot, x, width, shown[i]->meanS),
                                          slotRect(canvas, *plot, x, 1.0)));
  }
}

QString timeSubtitle(const record::RunResult& run, const ChartOptions& options) {
  std::size_t most = 0;
  for (const auto& variant : run.variants) most = std::max(most, variant.seconds.size());
  const QString repeats =
      countedText(static_cast<std::int64_t>(most), QObject::tr("repeat"), QObject::tr("repeats"));
  QString text = most < 2
                     ? QObject::tr("%1, %2 timing").arg(repeats, qstring(run.timing))
                     : QObject::tr("mean ± std of %1, %2 timing").arg(repeats, qstring(run.timing));
  if (run.status == record::RunStatus::Running) text += QObject::tr(", so far");
  if (anyVariant(run, [&](const auto& variant) { return isCutShort(variant, options); })) {
    text += QObject::tr("; hatched: fewer than %1 repeats").arg(options.repeatsAsked);
  }
  return text;
}

void timeCsv(std::ostream& out, const record::RunResult& run) {
  out << "variant,repeat,device,time_s\n";
  for (const auto& variant : run.variants) {
    for (std::size_t i = 0; i < variant.seconds.size(); ++i) {
      out << csvField(variant.id) << ',' << i + 1 << ",," << variant.seconds[i] << '\n';
    }
  }
}

}  // namespace

const ChartRow kTimeChart{.word = "time",
                          .title = QT_TRANSLATE_NOOP("QObject", "Execution time"),
                          .shape = ChartShape::BarPerVariant,
                          .tutorialStyle = true,
                          .subtitle = timeSubtitle,
                          .hasData = [](const record::RunResult& run,
                                        const ChartOptions&) { return anyVariant(run, measured); },
                          .draw =
                              [](const ChartCanvas& canvas) {
                                canvas.options.style == ChartStyle::Tutorial
                                    ? drawTutorialTime(canvas)
                                    : drawTime(canvas);
                              },
                          .csv = timeCsv};

}  // namespace stagelane::ui::detail
