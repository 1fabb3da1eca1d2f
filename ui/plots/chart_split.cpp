/// Split-size curve of a run: measured time by split size on a log2 axis, best ringed.

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "engine/base/csv.h"
#include "engine/plan/strategies.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/text/short_name.h"
#include "ui/plots/chart_row.h"
#include "ui/session/run/run_table_model.h"

namespace stagelane::ui::detail {
namespace {

constexpr double kLegendShare = 0.3;  ///< maximum width of a legend's name, of the chart's

QColor seriesColor(const Theme& theme, std::size_t index) {
  const std::array colors{theme.control.accent, theme.action.backward, theme.action.input,
                          theme.cause.starved, theme.cause.drain};
  return colors[index % colors.size()];
}

struct SeriesLook {
  QColor color, text;
  QString name;         ///< in the legend
  double factor = 1.0;  ///< from seconds to the axis's unit
};

void addSeries(QCustomPlot& plot, const SplitSeries& series, const SeriesLook& look) {
  auto* graph = plot.addGraph();
  graph->setName(look.name);
  graph->setPen(QPen(look.color, 1.6));
  graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, look.color, 6.0));
  auto* whiskers = new QCPErrorBars(plot.xAxis, plot.yAxis);
  whiskers->removeFromLegend();
  whiskers->setDataPlottable(graph);
  whiskers->setPen(QPen(look.text, 1.2));
  whiskers->setSymbolGap(0.0);
  for (const auto* point : series.points) {
    if (!measured(*point)) continue;
    graph->addData(std::log2(static_cast<double>(point->splitSize)), point->meanS * look.factor);
    // Times are never negative, whatever the deviation.
    const double deviation = point->seconds.size() > 1 ? point->stdS * look.factor : qQNaN();
    whiskers->addData(std::min(deviation, point->meanS * look.factor), deviation);
  }
}

/// The prediction: dashed, behind the measured dots.
void addPredicted(QCustomPlot& plot, const SplitSeries& series, const SeriesLook& look,
                  const ChartOptions& options) {
  auto* graph = plot.addGraph();
  graph->removeFromLegend();
  graph->setPen(QPen(look.color, 1.2, Qt::DashLine));
  // A line of one point would be invisible.
  if (series.points.size() == 1) {
    graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, look.color, 5.0));
  }
  for (const auto* point : series.points) {
    if (const auto seconds = predictedSeconds(*point, options)) {
      graph->addData(std::log2(static_cast<double>(point->splitSize)), *seconds * look.factor);
    }
  }
}

/// The common start of the points' names, without the split size at the end.
QString stemOf(const SplitSeries& series) {
  static const QRegularExpression kSplit(u"[ ,-]*(split |s)?\\d+$"_s);
  QString name = shownName(series.points.front()->name);
  const auto cut = name.lastIndexOf(kSplit);
  if (series.points.size() > 1 && cut > 0) name.truncate(cut);
  return name;
}

/// Named by their stems; if these are equal, with the schedule; if still ambiguous, by the names of
/// the first and the last point.
void nameSeries(std::vector<SplitSeries>& all) {
  std::map<QString, int> stems, withSchedules;
  const auto withSchedule = [](const SplitSeries& series) {
    return u"%1, %2"_s.arg(stemOf(series), qstring(series.points.front()->schedule));
  };
  for (const SplitSeries& series : all) {
    ++stems[stemOf(series)];
    ++withSchedules[withSchedule(series)];
  }
  for (SplitSeries& series : all) {
    series.name = stems[stemOf(series)] == 1 ? stemOf(series)
                  : withSchedules[withSchedule(series)] == 1
                      ? withSchedule(series)
                      : rangeText(shownName(series.points.front()->name),
                                  shownName(series.points.back()->name));
  }
}

}  // namespace

std::optional<double> predictedSeconds(const record::VariantResult& variant,
                                       const ChartOptions& options) {
  if (!comparesPrediction(variant)) {
    const auto found = options.predictedSeconds.find(variant.id);
    return found == options.predictedSeconds.end() ? std::nullopt : std::optional(found->second);
  }
  // A repeat has a loss per batch; inference has none and counts its steps.
  const double steps =
      !variant.loss.empty()
          ? static_cast<double>(variant.loss.size())
          : std::max(1.0, std::round(variant.medianS * 1e9 / static_cast<double>(variant.stepNs)));
  return static_cast<double>(variant.predicted->stepNs) * 1e-9 * steps;
}

std::vector<SplitSeries> splitSeries(const record::RunResult& run, const ChartOptions& options) {
  std::map<std::pair<std::string, std::string>, SplitSeries> series;
  for (const auto& variant : run.variants) {
    const bool known = measured(variant) || predictedSeconds(variant, options);
    if (!plan::strategyRow(variant.strategy).pipelined || !known || variant.splitSize <= 0)
      continue;
    // Replicas of a pipeline have the placement of the first.
    auto& entry = series[{variant.schedule,
                          variant.placement.dump() + " x " + std::to_string(variant.replicas)}];
    entry.points.push_back(&variant);
  }
  std::vector<SplitSeries> answer;
  for (auto& [key, entry] : series) {
    std::stable_sort(entry.points.begin(), entry.points.end(),
                     [](const auto* a, const auto* b) { return a->splitSize < b->splitSize; });
    answer.push_back(std::move(entry));
  }
  nameSeries(answer);
  return answer;
}

bool hasOneSplitSize(const record::RunResult& run, const ChartOptions& options) {
  std::set<std::int64_t> sizes;
  for (const SplitSeries& series : splitSeries(run, options)) {
    for (const auto* point : series.points) sizes.insert(point->splitSize);
  }
  return sizes.size() == 1;
}

namespace {

/// The largest drawn time: measured with its deviation, or predicted.
double largestSeconds(const std::vector<SplitSeries>& all, const ChartOptions& options) {
  double largest = 0.0;
  for (const SplitSeries& series : all) {
    for (const auto* point : series.points) {
      largest = std::max(
          {largest, point->meanS + point->stdS, predictedSeconds(*point, options).value_or(0.0)});
    }
  }
  return largest;
}

/// The fastest measured point; null for none.
const record::VariantResult* bestOf(const std::vector<SplitSeries>& all) {
  const record::VariantResult* best = nullptr;
  for (const SplitSeries& series : all) {
    for (const auto* point : series.points) {
      if (measured(*point) && (best == nullptr || point->meanS < best->meanS)) best = point;
    }
  }
  return best;
}

void addAllSeries(QCustomPlot& plot, const ChartCanvas& canvas, const std::vector<SplitSeries>& all,
                  double factor) {
  const QFontMetricsF legend(fontOf(TextSize::Caption));
  const double legendWidth = canvas.size.width() * kLegendShare;
  auto ticker = QSharedPointer<QCPAxisTickerText>::create();
  double low = 1e9, high = -1e9;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const SeriesLook look{seriesColor(canvas.theme, i), canvas.theme.control.text,
                          legend.elidedText(all[i].name, Qt::ElideRight, legendWidth), factor};
    addPredicted(plot, all[i], look, canvas.options);
    addSeries(plot, all[i], look);
    for (const auto* point : all[i].points) {
      const double x = std::log2(static_cast<double>(point->splitSize));
      ticker->addTick(x, QString::number(point->splitSize));
      low = std::min(low, x);
      high = std::max(high, x);
    }
  }
  plot.xAxis->setTicker(ticker);
  plot.xAxis->setRange(low - 0.5, high + 0.5);
}

void showLegend(QCustomPlot& plot, const ControlColors& colors) {
  plot.legend->setVisible(true);
  plot.legend->setFont(fontOf(TextSize::Caption));
  plot.legend->setTextColor(colors.text);
  plot.legend->setBrush(colors.panel);
  plot.legend->setBorderPen(Qt::NoPen);
  plot.axisRect()->insetLayout()->setInsetAlignment(0, Qt::AlignTop | Qt::AlignRight);
}

/// Maps values to positions in the picture once the plot has its final size.
struct SplitPixels {
  const QCustomPlot& plot;
  double factor = 1.0;  ///< from seconds to the axis's unit

  [[nodiscard]] QPointF at(const record::VariantResult& point, double seconds) const {
    return {plot.xAxis->coordToPixel(std::log2(static_cast<double>(point.splitSize))),
            plot.yAxis->coordToPixel(seconds * factor)};
  }
};

void ringBest(const ChartCanvas& canvas, const SplitPixels& pixels,
              const record::VariantResult& best) {
  paintOver(canvas, [&](QPainter& painter) {
    const QPointF at = pixels.at(best, best.meanS);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(canvas.theme.action.backward, 2.0));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(at, 8.0, 8.0);
    const double below = pixels.at(best, best.meanS - best.stdS).y() + labelHeight(1) + 6.0;
    const double bottom = std::max(at.y() + labelHeight(1) + 12.0, below);
    paintLabel(painter, at.x(), std::min(bottom, pixels.plot.axisRect()->rect().bottom() - 2.0),
               {{QObject::tr("best: %1, %2").arg(best.splitSize).arg(secondsText(best.meanS)),
                 canvas.theme.control.text, true}},
               canvas.theme.control.panel);
  });
}

/// Tooltip facts and hit area of a point.
ChartMark markOfPoint(const ChartCanvas& canvas, const SplitPixels& pixels,
                      const record::VariantResult& point, bool best) {
  const auto predicted = predictedSeconds(point, canvas.options);
  if (!measured(point)) {
    const double seconds = predicted.value_or(0.0);
    const QPointF at = pixels.at(point, seconds);
    return markOf(point, {QObject::tr("predicted %1").arg(secondsText(seconds))}, around(at, 7.0),
                  around(at, kPointTarget));
  }
  QStringList facts;
  if (best) facts << QObject::tr("best: %1").arg(point.splitSize);
  facts << repeatsText(point.meanS, point.stdS, point.seconds.size());
  if (point.seconds.size() > 1) facts << countOfRepeats(point, canvas.options);
  if (predicted) facts << QObject::tr("predicted %1").arg(secondsText(*predicted));
  const QPointF at = pixels.at(point, point.meanS);
  return markOf(point, facts, around(at, 7.0), around(at, kPointTarget));
}

void drawSplit(const ChartCanvas& canvas) {
  const std::vector<SplitSeries> all = splitSeries(canvas.run, canvas.options);
  const double largest = largestSeconds(all, canvas.options);
  const Unit unit = secondsUnit(largest);
  auto plot = makePlot(canvas, QObject::tr("time per repeat (%1)").arg(unit.name));
  plot->xAxis->setLabel(QObject::tr("split size (samples per micro-batch, log scale)"));
  addAllSeries(*plot, canvas, all, unit.factor);
  plot->yAxis->setRangeUpper(std::max(1e-9, largest * unit.factor) * 1.25);
  if (all.size() > 1) showLegend(*plot, canvas.theme.control);
  record(*plot, canvas);
  const SplitPixels pixels{*plot, unit.factor};
  const record::VariantResult* best = bestOf(all);
  if (best != nullptr) ringBest(canvas, pixels, *best);
  for (const SplitSeries& series : all) {
    for (const auto* point : series.points) {
      canvas.drawing.marks.push_back(markOfPoint(canvas, pixels, *point, point == best));
    }
  }
}

QString splitSubtitle(const record::RunResult& run, const ChartOptions& options) {
  return hasOneSplitSize(run, options)
             ? QObject::tr("only one split size; run a sweep to draw a curve")
             : QObject::tr("mean ± std by split size; dashed: predicted");
}

void splitCsv(std::ostream& out, const record::RunResult& run) {
  out << "variant,repeat,device,split_size_samples,schedule,time_s\n";
  for (const auto& variant : run.variants) {
    if (!plan::strategyRow(variant.strategy).pipelined) continue;
    for (std::size_t i = 0; i < variant.seconds.size(); ++i) {
      out << csvField(variant.id) << ',' << i + 1 << ",," << variant.splitSize << ','
          << csvField(variant.schedule) << ',' << variant.seconds[i] << '\n';
    }
  }
}

}  // namespace

const ChartRow kSplitChart{
    .word = "split",
    .title = QT_TRANSLATE_NOOP("QObject", "Split size"),
    .empty = QT_TRANSLATE_NOOP("QObject", "Needs a measured pipeline variant"),
    .need = QT_TRANSLATE_NOOP("QObject", "It needs measured pipeline variants"),
    .subtitle = splitSubtitle,
    .hasData = [](const record::RunResult& run,
                  const ChartOptions& options) { return !splitSeries(run, options).empty(); },
    .draw = drawSplit,
    .csv = splitCsv};

}  // namespace stagelane::ui::detail
