#pragma once

/// Charts of a run: execution time, idle causes, speed-up, split size, memory, prediction. One
/// function draws a chart for a size and returns the positions of its bars; the page, the exports
/// and the report use it. Reads only a RunResult; needs a QApplication (any platform, including
/// offscreen) and the GUI thread.

#include <QPicture>
#include <QRectF>
#include <QSizeF>
#include <QString>
#include <QStringList>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/record/run_record.h"
#include "ui/kit/pictures/picture.h"
#include "ui/kit/theme.h"
#include "ui/plots/chart_table.h"

namespace stagelane::ui {

enum class ChartStyle { Stagelane, Tutorial };

struct ChartOptions {
  ChartStyle style = ChartStyle::Stagelane;
  bool singleRepeats = false;                   ///< a dot for each repeat
  std::vector<analysis::Cause> hiddenCauses{};  ///< idle: only outlined; includes kinds of work
  std::map<std::string, Bytes> budgets{};       ///< memory: budgets by device
  /// Split: predicted seconds of a repeat by variant, for runs without a prediction of their own.
  std::map<std::string, double> predictedSeconds{};
  int repeatsAsked = 0;  ///< per variant; 0: unknown
  /// For a part of a run: the whole run, whose largest bar sets the scale; null: the run itself.
  std::shared_ptr<const record::RunResult> scaleOf{};
};

/// All kinds in display order.
[[nodiscard]] const std::vector<ChartKind>& allChartKinds();
/// Their words in the same order: `time`, `speedup` …
[[nodiscard]] const std::vector<std::string>& chartKindWords();
/// @errors Invalid, with the list
[[nodiscard]] Result<ChartKind> chartKindFromWord(const std::string& text);
[[nodiscard]] std::string_view chartKindWord(ChartKind kind);
[[nodiscard]] QString chartTitle(ChartKind kind);
/// Whether the chart can be drawn in the style of the PyTorch tutorial.
[[nodiscard]] bool hasTutorialStyle(ChartKind kind);
/// Whether only few runs have data for the chart, so that others show no empty card for it.
[[nodiscard]] bool isOfFewRuns(ChartKind kind);
/// A short description of the data: "mean ± std of 3 repeats, steady".
[[nodiscard]] QString chartSubtitle(ChartKind kind, const record::RunResult& run,
                                    const ChartOptions& options = {});
/// Whether the run has data for this chart.
[[nodiscard]] bool chartHasData(ChartKind kind, const record::RunResult& run,
                                const ChartOptions& options = {});

/// Shown instead of a chart without data for `run`; null: there is no run.
[[nodiscard]] QString emptyChartText(ChartKind kind, const record::RunResult* run);

/// An interactive part of the chart for pointer, keys and the UI map. In chart coordinates.
struct ChartMark {
  QString variantId;
  QString deviceId;   ///< for variants with a mark per device
  QString name;       ///< "1F1B 32", "1F1B 32, cuda:0"
  QStringList facts;  ///< "301.8 ± 1.4 ms", "n = 10"
  QRectF rect;        ///< what is drawn
  QRectF target;      ///< hit area, at least of a size that is easy to hit
};
/// The mark at a position: of overlapping targets the one whose center is nearest. @returns -1 for
/// none
[[nodiscard]] int markAt(const std::vector<ChartMark>& marks, const QPointF& position);
/// Lines of a tooltip: the name, then the facts, wrapped.
[[nodiscard]] QStringList tipLines(const ChartMark& mark);

/// A legend entry that can be switched off: a kind of work or an idle cause.
struct ChartLegendMark {
  analysis::Cause cause = analysis::Cause::Starved;
  QRectF rect;
};

struct ChartDrawing {
  QPicture picture;
  std::vector<ChartMark> marks;
  std::vector<ChartLegendMark> legend;
};

/// @units `size` in logical pixels
[[nodiscard]] ChartDrawing drawChart(ChartKind kind, const record::RunResult& run,
                                     const ChartOptions& options, QSizeF size, const Theme& theme,
                                     PaintMode mode);
/// The chart below its title, its subtitle and the run's name, for files and the clipboard. The
/// tutorial's picture has no title.
struct ChartPicture {
  ChartKind kind;
  const record::RunResult& run;
  const ChartOptions& options;
  QSizeF size;
  const Theme& theme;  ///< must outlive what is painted with it
  PaintMode mode;
};
/// Lays the chart out in the window's thread, because that needs widgets. The returned function
/// paints at a painter's origin in any thread.
[[nodiscard]] std::function<void(QPainter&)> layOutChartPicture(const ChartPicture& picture);
/// The least width with room for every bar; the page scrolls below it. The tutorial's chart has at
/// most three bars.
[[nodiscard]] double leastChartWidth(ChartKind kind, const record::RunResult& run,
                                     const ChartOptions& options = {});
[[nodiscard]] double suggestedChartHeight(ChartKind kind, const record::RunResult& run);
/// Splits the run into parts of similar numbers of variants that fit into a figure of `room`, and
/// variants with too many devices by device; returns the run itself if all fits. Draw the parts
/// with ChartOptions::scaleOf the whole run.
[[nodiscard]] std::vector<std::shared_ptr<const record::RunResult>> chartParts(
    ChartKind kind, const std::shared_ptr<const record::RunResult>& run, QSizeF room);
/// 160 × 100 mm with its title, larger if the run has more bars or rows.
[[nodiscard]] QSizeF suggestedChartMm(ChartKind kind, const record::RunResult& run,
                                      const ChartOptions& options = {});

/// The chart's data as a tidy table: begins `variant,repeat,device`, units in the headers.
[[nodiscard]] std::string chartCsv(ChartKind kind, const record::RunResult& run);

/// Writes .png, .svg, .pdf or .csv by the suffix. @errors Invalid (suffix, no data), CannotWrite
[[nodiscard]] Status exportChart(ChartKind kind, const record::RunResult& run,
                                 const ChartOptions& options, const PictureSpec& spec,
                                 const Theme& theme);

}  // namespace stagelane::ui
