#pragma once

/// Pieces that the charts share: a themed QCustomPlot, labels over bars, hatched placeholders for
/// what was not measured. Only for the files of this folder.

#include <qcustomplot.h>

#include <memory>
#include <optional>
#include <vector>

#include "ui/plots/chart.h"

namespace stagelane::ui::detail {

/// A chart being drawn.
struct ChartCanvas {
  const record::RunResult& run;
  const ChartOptions& options;
  QSizeF size;
  const Theme& theme;
  PaintMode mode;
  ChartDrawing& drawing;
};

/// The run whose largest bar sets the scale.
[[nodiscard]] inline const record::RunResult& scaleRun(const ChartCanvas& canvas) {
  return canvas.options.scaleOf ? *canvas.options.scaleOf : canvas.run;
}

/// A plot with the theme's colours and fonts, no interaction, y from 0.
[[nodiscard]] std::unique_ptr<QCustomPlot> makePlot(const ChartCanvas& canvas,
                                                    const QString& yLabel);
/// Variant names below their bars, wrapped to the room that a bar has.
void setVariantTicks(QCustomPlot& plot, const std::vector<QString>& names, double plotWidth);
/// A unit in which the largest value is at least 1.
struct Unit {
  double factor = 1.0;
  QString name;
};
[[nodiscard]] Unit secondsUnit(double largest);

/// A line of a label over or in a bar.
struct LabelLine {
  QString text;
  QColor color;
  bool bold = false;
};
/// Height that so many lines take.
[[nodiscard]] double labelHeight(std::size_t lines);
/// Lines centred on `x`, the last one ending at `bottom`; on a ground of `ground` where that is
/// valid, so that the grid does not run through the text.
void paintLabel(QPainter& painter, double x, double bottom, const std::vector<LabelLine>& lines,
                const QColor& ground);
/// Whether each line is at most `width` wide.
[[nodiscard]] bool labelFits(const std::vector<LabelLine>& lines, double width);
/// Lays out and records the plot into the drawing's picture.
void record(QCustomPlot& plot, const ChartCanvas& canvas);
/// Pixel rectangle of a bar. @pre record() was called
[[nodiscard]] QRectF barRect(const QCustomPlot& plot, double x, double width, double height);
/// Runs `paint` on the picture, after record().
void paintOver(const ChartCanvas& canvas, const std::function<void(QPainter&)>& paint);
/// 45° lines and an outline: not measured. Red for what failed, muted for what is still to come.
void paintMissingSlot(QPainter& painter, const QRectF& rect, const QColor& color);
[[nodiscard]] QColor missingColor(const record::VariantResult& variant, const Theme& theme);

inline constexpr double kBarShare = 0.62;      ///< of a slot, where slots are narrow
inline constexpr double kMostBarWidth = 72.0;  ///< in pixels: a wide bar says no more
inline constexpr double kAxisRoom = 80.0;      ///< beside the bars, in pixels
/// Pixels that a variant's slot has.
[[nodiscard]] double perBar(const ChartCanvas& canvas);
/// In the axis's units, of a bar that may have so much of its slot.
[[nodiscard]] double barWidth(const ChartCanvas& canvas, double share = kBarShare);
/// The names of all variants below their slots.
void setVariantNames(QCustomPlot& plot, const ChartCanvas& canvas);
/// Owned by the plot. `width` is in the axis's units.
QCPBars* addBars(QCustomPlot& plot, const QColor& color, double width);
/// From the axis's upper end down through the names, `width` of the axis's units wide: where a
/// pointer means the bar at `x`, however low it is. @pre record() was called
[[nodiscard]] QRectF slotRect(const ChartCanvas& canvas, const QCustomPlot& plot, double x,
                              double width);
inline constexpr double kPointTarget = 11.0;  ///< half the side of where a pointer means a point
/// A square with its middle at `middle`.
[[nodiscard]] inline QRectF around(const QPointF& middle, double halfSide) {
  return {middle - QPointF(halfSide, halfSide), QSizeF(2.0 * halfSide, 2.0 * halfSide)};
}
[[nodiscard]] ChartMark markOf(const record::VariantResult& variant, QStringList facts,
                               const QRectF& rect, const QRectF& target);
/// Makes it the mark of one device of its variant.
void nameDevice(ChartMark& mark, const record::DeviceResult& device);
/// The least width of a variant's slot in which the bar of each of so many devices can be read.
[[nodiscard]] double leastMemorySlot(std::size_t devices);
/// Slots of variants without a measurement: hatched, with their reason.
void paintMissing(const ChartCanvas& canvas, const QCustomPlot& plot, double height);
/// Room over the bars for labels of up to `lines` lines: the top of the axis for `largest`.
[[nodiscard]] double topFor(const ChartCanvas& canvas, double largest, std::size_t lines);

/// It has ended with fewer repeats than were asked for.
[[nodiscard]] bool isCutShort(const record::VariantResult& variant, const ChartOptions& options);
/// "n = 10", "n = 3 of 10".
[[nodiscard]] QString countOfRepeats(const record::VariantResult& variant,
                                     const ChartOptions& options);
/// The bar of a variant that was cut short: lighter, with lines.
void paintCutShort(const ChartCanvas& canvas, QPainter& painter, const QRectF& rect);
[[nodiscard]] bool measured(const record::VariantResult& variant);
/// "does not fit", "failed", "canceled", "to come": three words at most.
[[nodiscard]] QString shortReason(const record::VariantResult& variant);
/// What there is to say beside the short reason: "cpu:0 needs 13.0 GiB, has 8.0 GiB"; may be empty.
[[nodiscard]] QString restOfReason(const record::VariantResult& variant);
/// Broken at blanks into three lines at most, none wider than `width`: what does not fit is elided.
[[nodiscard]] QStringList wrappedLines(const QString& text, double width);
/// The short reason and, where there is more to say, the whole one.
[[nodiscard]] QStringList missingFacts(const record::VariantResult& variant);

/// Title and run on one line, what is shown on the next.
struct ChartHeading {
  QString title, run, subtitle;
};
void paintHeading(QPainter& painter, const QRectF& area, const ChartHeading& heading,
                  const Theme& theme);

/// It has a predicted and a measured step.
[[nodiscard]] bool comparesPrediction(const record::VariantResult& variant);
/// The predicted time of a repeat, all its batches; nothing where it was not predicted.
[[nodiscard]] std::optional<double> predictedSeconds(const record::VariantResult& variant,
                                                     const ChartOptions& options);

/// Points of the split chart: pipelines of one schedule and placement, by split size; measured,
/// predicted, or both.
struct SplitSeries {
  QString name;
  std::vector<const record::VariantResult*> points;
};
[[nodiscard]] std::vector<SplitSeries> splitSeries(const record::RunResult& run,
                                                   const ChartOptions& options);
/// All of its points lie on one place of the axis.
[[nodiscard]] bool hasOneSplitSize(const record::RunResult& run, const ChartOptions& options);

}  // namespace stagelane::ui::detail
