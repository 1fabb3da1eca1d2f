#include "ui/report/report_figures.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>

#include "engine/record/fastest.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/text/translation.h"
#include "ui/session/document/device_budgets.h"
#include "ui/session/run/median_text.h"
#include "ui/tracks/timeline_frame.h"

namespace stagelane::ui {
namespace {

/// A chart's recorded drawings by width and theme, stored as bytes because playing one QPicture in
/// several threads is a race.
class LaidOutChart {
 public:
  void put(double width, ThemeKind theme, const QPicture& picture) {
    const std::lock_guard lock(m_mutex);
    m_recorded[{width, theme}] = QByteArray(picture.data(), static_cast<int>(picture.size()));
  }
  /// Null if it was not laid out with these.
  [[nodiscard]] std::optional<QPicture> at(double width, ThemeKind theme) const {
    const std::lock_guard lock(m_mutex);
    const auto found = m_recorded.find({width, theme});
    if (found == m_recorded.end()) return std::nullopt;
    QPicture picture;
    picture.setData(found->second.constData(), static_cast<uint>(found->second.size()));
    return picture;
  }

 private:
  mutable std::mutex m_mutex;  // guards m_recorded
  std::map<std::pair<double, ThemeKind>, QByteArray> m_recorded;
};

FigureBlock chartFigure(ChartKind kind, const QString& title, const RunResultPtr& run,
                        const ChartOptions& options) {
  const auto laidOut = std::make_shared<LaidOutChart>();
  const auto draw = [=](QSizeF size, const Theme& theme, PaintMode mode) {
    const FileNumbers numbers;
    return drawChart(kind, *run, options, size, theme, mode).picture;
  };
  return {title, [kind, run](double) { return suggestedChartHeight(kind, *run); },
          [=](QPainter& painter, QSizeF size, PaintMode mode, const Theme& theme) {
            auto picture = mode == PaintMode::Vector ? laidOut->at(size.width(), theme.kind)
                                                     : std::optional<QPicture>();
            if (!picture) picture = draw(size, theme, mode);
            picture->play(&painter);
          },
          [=](double width, const Theme& theme) {
            const QSizeF size(width, suggestedChartHeight(kind, *run));
            laidOut->put(width, theme.kind, draw(size, theme, PaintMode::Vector));
          }};
}

bool neverRan(const record::VariantResult& variant) {
  return variant.status == record::RunStatus::NotRun;
}

/// The run without variants that never ran, which have no bars; the run itself if all ran.
RunResultPtr chartedRun(const RunResultPtr& run) {
  if (std::none_of(run->variants.begin(), run->variants.end(), neverRan)) return run;
  auto charted = std::make_shared<record::RunResult>(*run);
  auto& variants = charted->variants;
  variants.erase(std::remove_if(variants.begin(), variants.end(), neverRan), variants.end());
  return charted;
}

}  // namespace

std::vector<FigureBlock> chartFigures(ChartKind kind, const RunResultPtr& pictured,
                                      const ReportInput& input) {
  const RunResultPtr run = chartedRun(pictured);
  ChartOptions options{.budgets = deviceBudgets(input.experiment)};
  options.repeatsAsked = record::repeatsAsked(&input.experiment);
  options.scaleOf = run;
  options.predictedSeconds = input.predictedSeconds;
  const QString title = chartTitle(kind);
  const QString subtitle = chartSubtitle(kind, *run, options);
  const auto parts = chartParts(kind, run, pageFigureRoom());
  std::vector<FigureBlock> figures;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const QString part =
        parts.size() == 1 ? QString() : u" (%1 of %2)"_s.arg(i + 1).arg(parts.size());
    figures.push_back(
        chartFigure(kind, u"%1%2: %3"_s.arg(title, part, subtitle), parts[i], options));
  }
  return figures;
}

FigureBlock timelineFigure(const QString& name, const TimelineDataPtr& timeline) {
  constexpr double kDrawnWidth = 900.0;
  const auto axis = TimeAxis(timeline->rangeNs(), kDrawnWidth);
  const double height = paintTimelinePicture(nullptr, {*timeline, axis}, kDrawnWidth, lightTheme(),
                                             PaintMode::Vector);
  const QString middle = shownForMedianText(timeline->trace());
  const QString title =
      middle.isEmpty()
          ? u"Timeline of %1, median step, %2"_s.arg(name, timeText(timeline->wallNs()))
          : u"Timeline of %1, repeat %2, %3: %4"_s.arg(
                name, QString::number(timeline->step().step.repeat + 1),
                timeText(timeline->wallNs()), middle);
  return {title, [height](double width) { return height * width / kDrawnWidth; },
          [timeline, axis](QPainter& painter, QSizeF size, PaintMode mode, const Theme& theme) {
            const FileNumbers numbers;
            const double scale = size.width() / kDrawnWidth;
            painter.save();
            painter.scale(scale, scale);
            paintTimelinePicture(&painter, {*timeline, axis}, kDrawnWidth, theme, mode);
            painter.restore();
          }};
}

QStringList leftOutOfCharts(const record::RunResult& run) {
  QStringList names;
  for (const record::VariantResult& variant : run.variants) {
    if (neverRan(variant)) names << qstring(variant.name);
  }
  return names;
}

}  // namespace stagelane::ui
