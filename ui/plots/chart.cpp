#include "ui/plots/chart.h"

#include <algorithm>
#include <cmath>

#include "engine/base/files.h"
#include "engine/base/quantile.h"
#include "engine/base/text.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/text/short_name.h"
#include "ui/plots/chart_parts.h"

namespace stagelane::ui {
namespace {

constexpr double kLeastBar = 52.0;
constexpr double kHeadingHeight = 44.0;
constexpr double kIdleHead = 72.0, kIdleRow = 20.0;

bool hasBarPerVariant(ChartKind kind) {
  return kind == ChartKind::Time || kind == ChartKind::Speedup || kind == ChartKind::Memory;
}

std::size_t mostDevices(const record::RunResult& run) {
  std::size_t most = 1;
  for (const auto& variant : run.variants) most = std::max(most, variant.devices.size());
  return most;
}

/// Of one variant; of memory each device has a bar in it.
double leastSlot(ChartKind kind, const record::RunResult& run) {
  return kind == ChartKind::Memory ? std::max(kLeastBar, detail::leastMemorySlot(mostDevices(run)))
                                   : kLeastBar;
}

/// In the idle chart, which says of a variant without devices why it has none.
std::size_t idleRows(const record::VariantResult& variant) {
  return std::max<std::size_t>(1, variant.devices.size());
}

/// How many variants a figure has room for; at least one.
std::size_t variantsIn(ChartKind kind, const record::RunResult& run, QSizeF room) {
  double most = static_cast<double>(run.variants.size());
  if (hasBarPerVariant(kind)) {
    most = (room.width() - detail::kAxisRoom) / leastSlot(kind, run);
  } else if (kind == ChartKind::Idle) {
    most = (room.height() - kIdleHead) / kIdleRow / static_cast<double>(mostDevices(run));
  }
  return static_cast<std::size_t>(std::max(1.0, std::floor(most)));
}

/// How many devices of one variant a figure has room for; at least one.
std::size_t devicesIn(ChartKind kind, const record::RunResult& run, QSizeF room) {
  const auto fit = [&](std::size_t devices) {
    if (kind == ChartKind::Memory)
      return detail::kAxisRoom + detail::leastMemorySlot(devices) <= room.width();
    return kind != ChartKind::Idle ||
           kIdleHead + kIdleRow * static_cast<double>(devices) <= room.height();
  };
  std::size_t devices = mostDevices(run);
  while (devices > 1 && !fit(devices)) --devices;
  return devices;
}

/// Ranges of about the same length and none longer than `most`, from the first to the last of
/// `all`.
std::vector<std::pair<std::ptrdiff_t, std::ptrdiff_t>> rangesOf(std::size_t all, std::size_t most) {
  const std::size_t parts = std::max<std::size_t>(1, (all + most - 1) / most);
  std::vector<std::pair<std::ptrdiff_t, std::ptrdiff_t>> ranges;
  for (std::size_t i = 0; i < parts; ++i) {
    ranges.emplace_back(static_cast<std::ptrdiff_t>(all * i / parts),
                        static_cast<std::ptrdiff_t>(all * (i + 1) / parts));
  }
  return ranges;
}

/// The variants that have more than `most` devices as several, each with some of them.
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

/// "error of the step: median 1.2 %, largest 3.4 %".
QString predictionSubtitle(const record::RunResult& run) {
  std::vector<double> errors;
  for (const auto& variant : run.variants) {
    if (detail::comparesPrediction(variant)) errors.push_back(std::abs(variant.predicted->error));
  }
  if (errors.empty()) return {};
  return QStringLiteral("error of the step: median %1, largest %2")
      .arg(qstring(humanPercent(quantile(errors, 0.5))),
           qstring(humanPercent(*std::max_element(errors.begin(), errors.end()))));
}

}  // namespace

Result<ChartKind> chartKindFromWord(const std::string& text) {
  if (text == "time") return ChartKind::Time;
  if (text == "idle") return ChartKind::Idle;
  if (text == "speedup") return ChartKind::Speedup;
  if (text == "split") return ChartKind::Split;
  if (text == "memory") return ChartKind::Memory;
  if (text == "prediction") return ChartKind::Prediction;
  return fail(ErrorCode::Invalid, "\"" + text + "\" is no kind of chart", "--kind",
              "Write one of: time, idle, speedup, split, memory, prediction");
}

std::string_view chartKindWord(ChartKind kind) {
  switch (kind) {
    case ChartKind::Time: return "time";
    case ChartKind::Idle: return "idle";
    case ChartKind::Speedup: return "speedup";
    case ChartKind::Split: return "split";
    case ChartKind::Memory: return "memory";
    case ChartKind::Prediction: return "prediction";
  }
  return "time";
}

QString emptyChartText(ChartKind kind, const record::RunResult* run) {
  // Variants take turns until all are measured; what their steps tell is worked out behind that.
  const bool later =
      kind == ChartKind::Idle || kind == ChartKind::Memory || kind == ChartKind::Prediction;
  if (later && run != nullptr && run->status == record::RunStatus::Running) {
    return QStringLiteral("After the run: taken from the median step of each variant");
  }
  switch (kind) {
    case ChartKind::Split: return QStringLiteral("Needs a measured pipeline variant");
    case ChartKind::Speedup: return QStringLiteral("Needs a measured base and another variant");
    case ChartKind::Prediction:
      return QStringLiteral("Needs a variant that was predicted and measured");
    default: return QStringLiteral("Nothing measured yet");
  }
}

QString chartTitle(ChartKind kind) {
  switch (kind) {
    case ChartKind::Time: return QStringLiteral("Execution time");
    case ChartKind::Idle: return QStringLiteral("Idle causes");
    case ChartKind::Speedup: return QStringLiteral("Speed-up");
    case ChartKind::Split: return QStringLiteral("Split size");
    case ChartKind::Memory: return QStringLiteral("Memory");
    case ChartKind::Prediction: return QStringLiteral("Predicted and measured");
  }
  return {};
}

QString chartSubtitle(ChartKind kind, const record::RunResult& run, const ChartOptions& options) {
  switch (kind) {
    case ChartKind::Time: {
      std::size_t most = 0;
      for (const auto& variant : run.variants) most = std::max(most, variant.seconds.size());
      const QString repeats = countedText(static_cast<std::int64_t>(most), QStringLiteral("repeat"),
                                          QStringLiteral("repeats"));
      QString text =
          most < 2
              ? QStringLiteral("%1, %2 timing").arg(repeats, qstring(run.timing))
              : QStringLiteral("mean ± std of %1, %2 timing").arg(repeats, qstring(run.timing));
      if (run.status == record::RunStatus::Running) text += QStringLiteral(", so far");
      if (std::any_of(run.variants.begin(), run.variants.end(),
                      [&](const auto& variant) { return detail::isCutShort(variant, options); })) {
        text += QStringLiteral("; hatched: fewer than the %1 asked for").arg(options.repeatsAsked);
      }
      return text;
    }
    case ChartKind::Idle: return QStringLiteral("median step, share of its time");
    case ChartKind::Speedup: {
      for (const auto& variant : run.variants) {
        if (!variant.speedup) continue;
        for (const auto& base : run.variants) {
          if (base.id == variant.speedupBase) {
            return QStringLiteral("ratio of medians; base: %1, median %2")
                .arg(shownName(base.name), secondsText(base.medianS));
          }
        }
      }
      return QStringLiteral("no base was measured");
    }
    case ChartKind::Split:
      return detail::hasOneSplitSize(run, options)
                 ? QStringLiteral("one split size only; a sweep over more draws the curve")
                 : QStringLiteral("mean ± std by split size; dashed: predicted");
    case ChartKind::Memory:
      return QStringLiteral("peak per device, parameters and gradients included");
    case ChartKind::Prediction: return predictionSubtitle(run);
  }
  return {};
}

bool chartHasData(ChartKind kind, const record::RunResult& run, const ChartOptions& options) {
  const auto any = [&](auto&& test) {
    return std::any_of(run.variants.begin(), run.variants.end(), test);
  };
  switch (kind) {
    case ChartKind::Time: return any([](const auto& v) { return detail::measured(v); });
    case ChartKind::Idle: return any([](const auto& v) { return !v.devices.empty(); });
    case ChartKind::Speedup: return any([](const auto& v) { return v.speedup.has_value(); });
    case ChartKind::Split: return !detail::splitSeries(run, options).empty();
    case ChartKind::Prediction:
      return any([](const auto& v) { return detail::comparesPrediction(v); });
    case ChartKind::Memory:
      return any([](const auto& v) {
        return std::any_of(v.devices.begin(), v.devices.end(),
                           [](const auto& device) { return device.peakBytes > 0; });
      });
  }
  return false;
}

ChartDrawing drawChart(ChartKind kind, const record::RunResult& run, const ChartOptions& options,
                       QSizeF size, const Theme& theme, PaintMode mode) {
  ChartDrawing drawing;
  const detail::ChartCanvas canvas{run, options, size, theme, mode, drawing};
  switch (kind) {
    case ChartKind::Time:
      options.style == ChartStyle::Tutorial ? detail::drawTutorialTime(canvas)
                                            : detail::drawTime(canvas);
      break;
    case ChartKind::Idle: detail::drawIdle(canvas); break;
    case ChartKind::Speedup: detail::drawSpeedup(canvas); break;
    case ChartKind::Split: detail::drawSplit(canvas); break;
    case ChartKind::Memory: detail::drawMemory(canvas); break;
    case ChartKind::Prediction: detail::drawPrediction(canvas); break;
  }
  if (kind != ChartKind::Idle) {
    std::stable_sort(drawing.marks.begin(), drawing.marks.end(), [](const auto& a, const auto& b) {
      return a.target.left() < b.target.left();
    });
  }
  return drawing;
}

std::function<void(QPainter&)> layOutChartPicture(const ChartPicture& picture) {
  const auto& [kind, run, options, size, theme, mode] = picture;
  const bool tutorial = kind == ChartKind::Time && options.style == ChartStyle::Tutorial;
  const double heading = tutorial || size.height() < 3.0 * kHeadingHeight ? 0.0 : kHeadingHeight;
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
  const bool tutorial = kind == ChartKind::Time && options.style == ChartStyle::Tutorial;
  if (!hasBarPerVariant(kind) || tutorial) return 360.0;
  const auto variants = static_cast<double>(run.variants.size());
  return std::max(360.0, detail::kAxisRoom + leastSlot(kind, run) * variants);
}

double suggestedChartHeight(ChartKind kind, const record::RunResult& run) {
  if (kind != ChartKind::Idle) return 260.0;
  std::size_t rows = 0;
  for (const auto& variant : run.variants) rows += idleRows(variant);
  return std::max(160.0, kIdleHead + kIdleRow * static_cast<double>(rows));
}

std::vector<std::shared_ptr<const record::RunResult>> chartParts(
    ChartKind kind, const std::shared_ptr<const record::RunResult>& run, QSizeF room) {
  const record::RunResult whole = dividedByDevices(*run, devicesIn(kind, *run, room));
  const auto ranges = rangesOf(whole.variants.size(), variantsIn(kind, whole, room));
  if (ranges.size() == 1 && whole.variants.size() == run->variants.size()) return {run};
  std::vector<std::shared_ptr<const record::RunResult>> result;
  for (const auto& [from, to] : ranges) {
    record::RunResult part = *run;
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
    return fail(ErrorCode::Invalid,
                "the run has nothing for the chart \"" + utf8(chartTitle(kind)) + "\"", run.folder,
                kind == ChartKind::Split ? "It needs measured pipeline variants"
                                         : "It needs a measured variant");
  }
  if (spec.path.endsWith(QStringLiteral(".csv"), Qt::CaseInsensitive)) {
    return writeFileAtomically(utf8(spec.path), chartCsv(kind, run));
  }
  if (const auto format = pictureFormatOf(spec.path); !format) {
    return fail(ErrorCode::Invalid, format.error().message, format.error().context,
                "Name a file that ends in .png, .svg, .pdf or .csv");
  }
  return writePicture(spec, [&](QPainter& painter, QSizeF size, PaintMode mode) {
    layOutChartPicture({kind, run, options, size, theme, mode})(painter);
  });
}

}  // namespace stagelane::ui
