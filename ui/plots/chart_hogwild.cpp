/// Loss over the updates of Hogwild variants: a line for each process.

#include <algorithm>
#include <cmath>

#include "engine/base/csv.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/text/short_name.h"
#include "ui/plots/chart_row.h"

namespace stagelane::ui::detail {
namespace {

constexpr double kFarApart = 10.0;  ///< above this ratio the losses' axis is logarithmic
constexpr std::size_t kMostInLegend = 12;
constexpr double kLegendShare = 0.3;  ///< maximum width of a legend's name, of the chart's

/// The line of a process.
struct Line {
  const record::VariantResult* variant;
  std::size_t process;

  [[nodiscard]] const record::LossCurve& curve() const { return variant->hogwild->curves[process]; }
};

bool hasCurves(const record::VariantResult& variant) {
  return variant.hogwild &&
         std::any_of(variant.hogwild->curves.begin(), variant.hogwild->curves.end(),
                     [](const auto& curve) { return !curve.loss.empty(); });
}

std::vector<Line> linesOf(const record::RunResult& run) {
  std::vector<Line> lines;
  for (const auto& variant : run.variants) {
    if (!hasCurves(variant)) continue;
    for (std::size_t i = 0; i < variant.hogwild->curves.size(); ++i) {
      if (!variant.hogwild->curves[i].loss.empty()) lines.push_back({&variant, i});
    }
  }
  return lines;
}

/// Smallest and largest of the losses that can be drawn.
struct Range {
  double least = 1e300, most = -1e300;
  double updates = 1.0;

  [[nodiscard]] bool byRatio() const { return least > 0.0 && most > kFarApart * least; }
};

Range rangeOf(const std::vector<Line>& lines) {
  Range range;
  for (const Line& line : lines) {
    for (const double loss : line.curve().loss) {
      if (!std::isfinite(loss)) continue;
      range.least = std::min(range.least, loss);
      range.most = std::max(range.most, loss);
    }
    range.updates = std::max(range.updates, static_cast<double>(line.curve().updates.back()));
  }
  if (range.most < range.least) return {0.0, 1.0, range.updates};
  return range;
}

QString processText(const Line& line) {
  const auto number = static_cast<int>(line.process);
  return line.variant->hogwild->threads ? QObject::tr("thread %1").arg(number)
                                        : QObject::tr("process %1").arg(number);
}

/// Colors repeat after five lines; then the pen's style tells lines apart.
QPen penOf(const Theme& theme, std::size_t index) {
  const std::array colors{theme.control.accent, theme.action.backward, theme.action.input,
                          theme.cause.starved, theme.cause.drain};
  const std::array styles{Qt::SolidLine, Qt::DashLine, Qt::DotLine};
  return {colors[index % colors.size()], 1.4, styles[index / colors.size() % styles.size()]};
}

void setAxes(QCustomPlot& plot, const Range& range) {
  plot.xAxis->setLabel(QObject::tr("updates of all processes"));
  plot.xAxis->setRange(0.0, range.updates);
  if (range.byRatio()) {
    plot.yAxis->setScaleType(QCPAxis::stLogarithmic);
    plot.yAxis->setTicker(QSharedPointer<QCPAxisTickerLog>::create());
    plot.yAxis->setNumberFormat(QStringLiteral("gb"));
    plot.yAxis->setNumberPrecision(2);
    plot.yAxis->setRange(range.least / 1.3, range.most * 1.3);
  } else {
    const double room = std::max(1e-9, (range.most - std::min(0.0, range.least)) * 0.1);
    plot.yAxis->setRange(std::min(0.0, range.least), range.most + room);
  }
}

void addLines(QCustomPlot& plot, const ChartCanvas& canvas, const std::vector<Line>& lines) {
  const QFontMetricsF legend(fontOf(TextSize::Caption));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    auto* graph = plot.addGraph();
    graph->setPen(penOf(canvas.theme, i));
    const record::LossCurve& curve = lines[i].curve();
    for (std::size_t point = 0; point < curve.loss.size(); ++point) {
      graph->addData(static_cast<double>(curve.updates[point]), curve.loss[point]);
    }
    graph->setName(
        legend.elidedText(u"%1, %2"_s.arg(shownName(lines[i].variant->name), processText(lines[i])),
                          Qt::ElideRight, canvas.size.width() * kLegendShare));
    if (i >= kMostInLegend) graph->removeFromLegend();
  }
  plot.legend->setVisible(true);
  plot.legend->setFont(fontOf(TextSize::Caption));
  plot.legend->setTextColor(canvas.theme.control.text);
  plot.legend->setBrush(canvas.theme.control.panel);
  plot.legend->setBorderPen(Qt::NoPen);
  plot.axisRect()->insetLayout()->setInsetAlignment(0, Qt::AlignTop | Qt::AlignRight);
}

QString updatesText(const record::HogwildResult& hogwild) {
  return QObject::tr("%1 updates/s").arg(QString::number(hogwild.updatesPerS, 'f', 0));
}

QString stalenessText(const record::HogwildResult& hogwild) {
  return QObject::tr("staleness: median %1, 99 % %2, most %3")
      .arg(hogwild.staleness.median)
      .arg(hogwild.staleness.p99)
      .arg(hogwild.staleness.max);
}

QStringList factsOf(const Line& line) {
  const record::LossCurve& curve = line.curve();
  return {processText(line),
          QObject::tr("loss %1 at first, %2 at the end")
              .arg(QString::number(curve.loss.front(), 'g', 4),
                   QString::number(curve.loss.back(), 'g', 4)),
          updatesText(*line.variant->hogwild), stalenessText(*line.variant->hogwild)};
}

void drawHogwild(const ChartCanvas& canvas) {
  const std::vector<Line> lines = linesOf(canvas.run);
  auto plot = makePlot(canvas, QObject::tr("loss"));
  setAxes(*plot, rangeOf(lines));
  addLines(*plot, canvas, lines);
  record(*plot, canvas);
  for (const Line& line : lines) {
    const QPointF at(plot->xAxis->coordToPixel(static_cast<double>(line.curve().updates.back())),
                     plot->yAxis->coordToPixel(line.curve().loss.back()));
    ChartMark mark =
        markOf(*line.variant, factsOf(line), around(at, 5.0), around(at, kPointTarget));
    if (line.process < line.variant->devices.size()) {
      nameDevice(mark, line.variant->devices[line.process]);
    } else {
      mark.deviceId = processText(line);
    }
    canvas.drawing.marks.push_back(std::move(mark));
  }
}

QString hogwildSubtitle(const record::RunResult& run, const ChartOptions&) {
  for (const auto& variant : run.variants) {
    if (!hasCurves(variant)) continue;
    return u"%1; %2"_s.arg(updatesText(*variant.hogwild), stalenessText(*variant.hogwild));
  }
  return QObject::tr("loss over updates, a line for each process");
}

void hogwildCsv(std::ostream& out, const record::RunResult& run) {
  out << "variant,repeat,device,process,updates,loss\n";
  for (const Line& line : linesOf(run)) {
    const auto& devices = line.variant->devices;
    const std::string device = line.process < devices.size() ? devices[line.process].id : "";
    const record::LossCurve& curve = line.curve();
    for (std::size_t i = 0; i < curve.loss.size(); ++i) {
      out << csvField(line.variant->id) << ",," << csvField(device) << ',' << line.process << ','
          << curve.updates[i] << ',' << curve.loss[i] << '\n';
    }
  }
}

}  // namespace

const ChartRow kHogwildChart{
    .word = "hogwild",
    .title = QT_TRANSLATE_NOOP("QObject", "Hogwild"),
    .ofFewRuns = true,
    .empty = QT_TRANSLATE_NOOP("QObject", "Needs a measured Hogwild variant"),
    .need = QT_TRANSLATE_NOOP("QObject", "It needs a measured Hogwild variant"),
    .subtitle = hogwildSubtitle,
    .hasData = [](const record::RunResult& run,
                  const ChartOptions&) { return anyVariant(run, hasCurves); },
    .draw = drawHogwild,
    .csv = hogwildCsv};

}  // namespace stagelane::ui::detail
