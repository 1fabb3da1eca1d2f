#include "ui/plots/chart.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "engine/base/files.h"
#include "engine/base/text.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/text/short_name.h"
#include "ui/plots/chart_row.h"

namespace stagelane::ui {
namespace {

constexpr double kLeastBar = 52.0;
constexpr double kHeadingHeight = 44.0;
constexpr double kRowsHead = 72.0, kRowHeight = 20.0;

using detail::ChartRow;
using detail::ChartShape;

const ChartRow& rowOf(ChartKind kind) {
  return *detail::kChartRows[static_cast<std::size_t>(kind)];
}

bool hasSlots(ChartShape shape) {
  return shape == ChartShape::BarPerVariant || shape == ChartShape::BarPerDevice;
}

bool drawsTutorial(ChartKind kind, const ChartOptions& options) {
  return rowOf(kind).tutorialStyle && options.style == ChartStyle::Tutorial;
}

std::size_t mostDevices(const record::RunResult& run) {
  std::size_t most = 1;
  for (const auto& variant : run.variants) most = std::max(most, variant.devices.size());
  return most;
}

/// Rows of one variant.
double leastSlot(ChartShape shape, const record::RunResult& run) {
  return shape == ChartShape::BarPerDevice
             ? std::max(kLeastBar, detail::leastMemorySlot(mostDevices(run)))
             : kLeastBar;
}

/// A variant without devices has one row for its reason.
std::size_t rowsOf(const record::VariantResult& variant) {
  return std::max<std::size_t>(1, variant.devices.size());
}

/// How many variants fit into a figure; at least one.
std::size_t variantsIn(ChartShape shape, const record::RunResult& run, QSizeF room) {
  double most = static_cast<double>(run.variants.size());
  if (hasSlots(shape)) {
    most = (room.width() - detail::kAxisRoom) / leastSlot(shape, run);
  } else if (shape == ChartShape::RowPerDevice) {
    most = (room.height() - kRowsHead) / kRowHeight / static_cast<double>(mostDevices(run));
  }
  return static_cast<std::size_t>(std::max(1.0, std::floor(most)));
}

/// How many devices of one variant fit into a figure; at least one.
std::size_t devicesIn(ChartShape shape, const record::RunResult& run, QSizeF room) {
  const auto fit = [&](std::size_t devices) {
    if (shape == ChartShape::BarPerDevice)
      return detail::kAxisRoom + detail::leastMemorySlot(devices) <= room.width();
    return shape != ChartShape::RowPerDevice ||
           kRowsHead + kRowHeight * static_cast<double>(devices) <= room.height();
  };
  std::size_t devices = mostDevices(run);
  while (devices > 1 && !fit(devices)) --devices;
  return devices;
}

/// Ranges of similar length, at most `most`, that cover `all`.
std::vector<std::pair<std::ptrdiff_t, std::ptrdiff_t>> rangesOf(std::size_t all, std::size_t most) {
  const std::size_t parts = std::max<std::size_t>(1, (all + most - 1) / most);
  std::vector<std::pair<std::ptrdiff_t, std::ptrdiff_t>> ranges;
  for (std::size_t i = 0; i < parts; ++i) {
    ranges.emplace_back(static_cast<std::ptrdiff_t>(all * i / parts),
                        static_cast<std::ptrdiff_t>(all * (i + 1) / parts));
  }
  return ranges;
}

/// Splits variants with more than `most` devices into several with some of the devices each.
record::RunResult dividedByDevices(const record::RunResult& run, std::size_t most) {
  record::RunResult divided = run;
  divided.variants.clear();
  for (const record::VariantResult& variant : run.variants) {
    const auto ranges = rangesOf(variant.devices.size(), most);
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      record::VariantResult& piece = divided.variants.emplace_back(variant);
      if (ranges.size() == 1) continue;
      piece.name += " (" + std::to_string(i + 1) + " of " + std::to_string(ranges.size()) + ")";
      piece.devices.assign(variant.devices.begin() + ranges[i].first,
                           variant.devices.begin() + ranges[i].second);
    }
  }
  return divided;
}

}  // namespace

const std::vector<ChartKind>& allChartKinds() {
  static const std::vector<ChartKind> kinds = [] {
    std::vector<ChartKind> all;
    for (std::size_t i = 0; i < detail::kChartRows.size(); ++i) {
      all.push_back(static_cast<ChartKind>(i));
    }
    return all;
  }();
  return kinds;
}

const std::vector<std::string>& chartKindWords() {
  static const std::vector<std::string> words = [] {
    std::vector<std::string> all;
    for (const ChartRow* row : detail::kChartRows) all.emplace_back(row->word);
    return all;
  }();
  return words;
}

Result<ChartKind> chartKindFromWord(const std::string& text) {
  for (const ChartKind kind : allChartKinds()) {
    if (chartKindWord(kind) == text) return kind;
  }
  return fail(ErrorCode::Invalid, "\"" + text + "\" is not a kind of chart", "--kind",
              "Use one of: " + joined(chartKindWords()));
}

std::string_view chartKindWord(ChartKind kind) { return rowOf(kind).word; }

QString emptyChartText(ChartKind kind, const record::RunResult* run) {
  // Steps are analyzed after all variants have been measured.
  if (rowOf(kind).ofMedianStep && run != nullptr && run->status == record::RunStatus::Running) {
    return QObject::tr("Available after the run, from the median step of each variant");
  }
  return QObject::tr(rowOf(kind).empty);
}

QString chartTitle(ChartKind kind) { return QObject::tr(rowOf(kind).title); }

bool hasTutorialStyle(ChartKind kind) { return rowOf(kind).tutorialStyle; }

bool isOfFewRuns(ChartKind kind) { return rowOf(kind).ofFewRuns; }

QString chartSubtitle(ChartKind kind, const record::RunResult& run, const ChartOptions& options) {
  return rowOf(kind).subtitle(run, options);
}

bool chartHasData(ChartKind kind, const record::RunResult& run, const ChartOptions& options) {
  return rowOf(kind).hasData(run, options);
}

std::string chartCsv(ChartKind kind, const record::RunResult& run) {
  std::ostringstream out;
  out.precision(9);
  rowOf(kind).csv(out, run);
  return std::move(out).str();
}

ChartDrawing drawChart(ChartKind kind, const record::RunResult& run, const ChartOptions& options,
                       QSizeF size, const Theme& theme, PaintMode mode) {
  ChartDrawing drawing;
  const detail::ChartCanvas canvas{run, options, size, theme, mode, drawing};
  rowOf(kind).draw(canvas);
  if (rowOf(kind).shape != ChartShape::RowPerDevice) {
    std::stable_sort(drawing.marks.begin(), drawing.marks.end(), [](const auto& a, const auto& b) {
      return a.target.left() < b.target.left();
    });
  }
  return drawing;
}

std::function<void(QPainter&)> layOutChartPicture(const ChartPicture& picture) {
  const auto& [kind, run, options, size, theme, mode] = picture;
  const double heading =
      drawsTutorial(kind, options) || size.height() < 3.0 * kHeadingHeight ? 0.0 : kHeadingHeight;
  const QSizeF room(size.width(), size.height() - heading);
  const detail::ChartHeading said{chartTitle(kind), shownName(run.name),
                                  chartSubtitle(kind, run, options)};
  const QPicture chart = drawChart(kind, run, options, room, theme, mode).picture;
  return [chart, said, heading, width = size.width(), look = &theme](QPainter& painter) {
    if (heading > 0.0) detail::paintHeading(painter, {0.0, 0.0, width, heading}, said, *look);
    painter.drawPicture(QPointF(0.0, heading), chart);
  };
}

double leastChartWidth(ChartKind kind, const record::RunResult& run, const ChartOptions& options) {
  const ChartShape shape = rowOf(kind).shape;
  if (!hasSlots(shape) || drawsTutorial(kind, options)) return 360.0;
  const auto variants = static_cast<double>(run.variants.size());
  return std::max(360.0, detail::kAxisRoom + leastSlot(shape, run) * variants);
}

double suggestedChartHeight(ChartKind kind, const record::RunResult& run) {
  if (rowOf(kind).shape != ChartShape::RowPerDevice) return 260.0;
  std::size_t rows = 0;
  for (const auto& variant : run.variants) rows += rowsOf(variant);
  return std::max(160.0, kRowsHead + kRowHeight * static_cast<double>(rows));
}

std::vector<std::shared_ptr<const record::RunResult>> chartParts(
    ChartKind kind, const std::shared_ptr<const record::RunResult>& run, QSizeF room) {
  const record::RunResult whole = dividedByDevices(*run, devicesIn(rowOf(kind).shape, *run, room));
  const auto ranges = rangesOf(whole.variants.size(), variantsIn(rowOf(kind).shape, whole, room));
  if (ranges.size() == 1 && whole.variants.size() == run->variants.size()) return {run};
  record::RunResult noVariants = *run;
  noVariants.variants.clear();
  std::vector<std::shared_ptr<const record::RunResult>> result;
  for (const auto& [from, to] : ranges) {
    record::RunResult part = noVariants;
    part.variants.assign(whole.variants.begin() + from, whole.variants.begin() + to);
    result.push_back(std::make_shared<const record::RunResult>(std::move(part)));
  }
  return result;
}

QSizeF suggestedChartMm(ChartKind kind, const record::RunResult& run, const ChartOptions& options) {
  constexpr double kMmPerPixel = 25.4 / 96.0;
  const double width = leastChartWidth(kind, run, options) * kMmPerPixel;
  const double height = (suggestedChartHeight(kind, run) + kHeadingHeight) * kMmPerPixel;
  return {std::max(160.0, std::ceil(width)), std::max(100.0, std::ceil(height))};
}

Status exportChart(ChartKind kind, const record::RunResult& run, const ChartOptions& options,
                   const PictureSpec& spec, const Theme& theme) {
  if (!chartHasData(kind, run, options)) {
    return refused(QObject::tr("the run has no data for the chart \"%1\"").arg(chartTitle(kind)),
                   QObject::tr(rowOf(kind).need), run.folder);
  }
  if (spec.path.endsWith(u".csv"_s, Qt::CaseInsensitive)) {
    return writeFileAtomically(utf8(spec.path), chartCsv(kind, run));
  }
  if (const auto format = pictureFormatOf(spec.path); !format) {
    return refused(qstring(format.error().message),
                   QObject::tr("Use a file name that ends in .png, .svg, .pdf or .csv"),
                   format.error().context);
  }
  return writePicture(spec, [&](QPainter& painter, QSizeF size, PaintMode mode) {
    layOutChartPicture({kind, run, options, size, theme, mode})(painter);
  });
}

}  // namespace stagelane::ui
