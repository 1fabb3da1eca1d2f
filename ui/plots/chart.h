#pragma once

/// Charts of a run: execution time, idle causes, speed-up, split size, memory, prediction. One
/// function draws a chart for a size and says where its bars are; the page, the exports and the
/// report all use it. Reads a RunResult only; needs a QApplication (any platform, offscreen too),
/// GUI thread.

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
  bool singleRepeats = false;                   ///< dots for each repeat
  std::vector<analysis::Cause> hiddenCauses{};  ///< idle: outlined only; kinds of work too
  std::map<std::string, Bytes> budgets{};       ///< memory: of devices that have one
  /// Split: of a repeat, by variant, where the run has no prediction of its own (yet).
  std::map<std::string, double> predictedSeconds{};
  int repeatsAsked = 0;  ///< of each variant; 0: not known
  /// Of a part of a run: the whole, whose largest bar sets the scale; null: the run itself.
  std::shared_ptr<const record::RunResult> scaleOf{};
};

/// All kinds, in the order in which pages and lists show them.
[[nodiscard]] const std::vector<ChartKind>& allChartKinds();
/// Their words, in the same order: `time`, `speedup` …
[[nodiscard]] const std::vector<std::string>& chartKindWords();
/// @errors Invalid with the list
[[nodiscard]] Result<ChartKind> chartKindFromWord(const std::string& text);
[[nodiscard]] std::string_view chartKindWord(ChartKind kind);
[[nodiscard]] QString chartTitle(ChartKind kind);
/// Whether the chart can be drawn as the PyTorch tutorial does.
[[nodiscard]] bool hasTutorialStyle(ChartKind kind);
/// What the chart shows, in a few words: "mean ± std of 3 repeats, steady".
[[nodiscard]] QString chartSubtitle(ChartKind kind, const record::RunResult& run,
                                    const ChartOptions& options = {});
/// Whether the run has anything to show in this chart.
[[nodiscard]] bool chartHasData(ChartKind kind, const record::RunResult& run,
                                const ChartOptions& options = {});

/// What stands in place of a chart that has nothing to show of `run`; null: there is no run.
[[nodiscard]] QString emptyChartText(ChartKind kind, const record::RunResult* run);

/// Where something of the chart is, for pointer, keys and the UI map. In the chart's coordinates.
struct ChartMark {
  QString variantId;
  QString deviceId;   ///< where a variant has a mark for each device
  QString name;       ///< "1F1B 32", "1F1B 32, cuda:0"
  QStringList facts;  ///< "301.8 ± 1.4 ms", "n = 10"
  QRectF rect;        ///< what is drawn
  QRectF target;      ///< where a pointer means it: never too small to hit
};
/// The mark that is meant at a position: of several targets the one whose middle is nearest.
/// @returns -1 for none
[[nodiscard]] int markAt(const std::vector<ChartMark>& marks, const QPointF& position);
/// Lines of a tooltip: the name, then the facts, none of them wide.
[[nodiscard]] QStringList tipLines(const ChartMark& mark);

/// An entry of the legend that can be switched off: a kind of work, or why a device waits.
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
/// The chart below its title, its subtitle and the run's name: for files and the clipboard, where
/// no page says them. The tutorial's picture has no title there either.
struct ChartPicture {
  ChartKind kind;
  const record::RunResult& run;
  const ChartOptions& options;
  QSizeF size;
  const Theme& theme;  ///< outlives what is painted with it
  PaintMode mode;
};
/// Lays it out, which needs widgets: in the window's thread. What it answers paints at a painter's
/// origin, in any thread.
[[nodiscard]] std::function<void(QPainter&)> layOutChartPicture(const ChartPicture& picture);
/// The least width at which every bar has room; the page scrolls below it. The tutorial's chart has
/// three bars at most.
[[nodiscard]] double leastChartWidth(ChartKind kind, const record::RunResult& run,
                                     const ChartOptions& options = {});
[[nodiscard]] double suggestedChartHeight(ChartKind kind, const record::RunResult& run);
/// The run in parts of about as many variants, each with room for its bars or rows in a figure of
/// `room`; of a variant that has more devices than fit, in parts of its devices; the run itself
/// where all have room. Drawn with ChartOptions::scaleOf the whole.
[[nodiscard]] std::vector<std::shared_ptr<const record::RunResult>> chartParts(
    ChartKind kind, const std::shared_ptr<const record::RunResult>& run, QSizeF room);
/// 160 × 100 mm with its title, larger where the run has more bars or rows than fit there.
[[nodiscard]] QSizeF suggestedChartMm(ChartKind kind, const record::RunResult& run,
                                      const ChartOptions& options = {});

/// Tidy table behind the chart; begins `variant,repeat,device`, units in the headers.
[[nodiscard]] std::string chartCsv(ChartKind kind, const record::RunResult& run);

/// Writes .png, .svg, .pdf or .csv by the suffix. @errors Invalid (suffix, nothing to show),
/// CannotWrite
[[nodiscard]] Status exportChart(ChartKind kind, const record::RunResult& run,
                                 const ChartOptions& options, const PictureSpec& spec,
                                 const Theme& theme);

}  // namespace stagelane::ui
