#pragma once

/// Shared parts of the charts: a themed QCustomPlot, labels over bars, hatched placeholders for
/// missing measurements. Only for the files of this folder.

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

/// A plot with the theme's colors and fonts, no interaction, y from 0.
[[nodiscard]] std::unique_ptr<QCustomPlot> makePlot(const ChartCanvas& canvas,
                                                    const QString& yLabel);
/// Variant names below their bars, wrapped to the width of a slot.
void setVariantTicks(QCustomPlot& plot, const std::vector<QString>& names, double plotWidth);
/// A unit in which the largest value is at least 1.
struct Unit {
  double factor = 1.0;
  QString name;
};
[[nodiscard]] Unit secondsUnit(double largest);

/// A line of a bar's label.
struct LabelLine {
  QString text;
  QColor color;
  bool bold = false;
};
/// Height of this many lines.
[[nodiscard]] double labelHeight(std::size_t lines);
/// Lines centered on `x`, the last one ending at `bottom`; on a background of `ground`, if valid,
/// so that the grid does not cross the text.
void paintLabel(QPainter& painter, double x, double bottom, const std::vector<LabelLine>& lines,
                const QColor& ground);
/// Whether no line is wider than `width`.
[[nodiscard]] bool labelFits(const std::vector<LabelLine>& lines, double width);
/// Lays out the plot and records it into the drawing's picture.
void record(QCustomPlot& plot, const ChartCanvas& canvas);
/// Pixel rectangle of a bar. @pre record() was called
[[nodiscard]] QRectF barRect(const QCustomPlot& plot, double x, double width, double height);
/// Runs `paint` on the picture, after record().
void paintOver(const ChartCanvas& canvas, const std::function<void(QPainter&)>& paint);
/// 45° lines and an outline: not measured. Red if failed, muted if pending.
void paintMissingSlot(QPainter& painter, const QRectF& rect, const QColor& color);
[[nodiscard]] QColor missingColor(const record::VariantResult& variant, const Theme& theme);

inline constexpr double kBarShare = 0.62;      ///< of a slot, if slots are narrow
inline constexpr double kMostBarWidth = 72.0;  ///< in pixels; wider bars add no information
inline constexpr double kAxisRoom = 80.0;      ///< in pixels, beside the bars
/// Pixels per variant slot.
[[nodiscard]] double perBar(const ChartCanvas& canvas);
/// In axis units, for a bar that may use this share of its slot.
[[nodiscard]] double barWidth(const ChartCanvas& canvas, double share = kBarShare);
/// The names of all variants below their slots.
void setVariantNames(QCustomPlot& plot, const ChartCanvas& canvas);
/// Owned by the plot. `width` is in the axis's units.
QCPBars* addBars(QCustomPlot& plot, const QColor& color, double width);
/// The hit area of the bar at `x`, however low the bar: from the axis's upper end down through the
/// names, `width` axis units wide. @pre record() was called
[[nodiscard]] QRectF slotRect(const ChartCanvas& canvas, const QCustomPlot& plot, double x,
                              double width);
inline constexpr double kPointTarget = 11.0;  ///< half the side of a point's hit area
/// A square centered at `middle`.
[[nodiscard]] inline QRectF around(const QPointF& middle, double halfSide) {
  return {middle - QPointF(halfSide, halfSide), QSizeF(2.0 * halfSide, 2.0 * halfSide)};
}
[[nodiscard]] ChartMark markOf(const record::VariantResult& variant, QStringList facts,
                               const QRectF& rect, const QRectF& target);
/// Assigns the mark to one device of its variant.
void nameDevice(ChartMark& mark, const record::DeviceResult& device);
/// The least slot width in which the bars of this many devices are readable.
[[nodiscard]] double leastMemorySlot(std::size_t devices);
/// Hatched slots with reasons for variants without a measurement.
void paintMissing(const ChartCanvas& canvas, const QCustomPlot& plot, double height);
/// The top of the axis for `largest`, with room over the bars for labels of up to `lines` lines.
[[nodiscard]] double topFor(const ChartCanvas& canvas, double largest, std::size_t lines);

/// It ended with fewer repeats than requested.
[[nodiscard]] bool isCutShort(const record::VariantResult& variant, const ChartOptions& options);
/// "n = 10", "n = 3 of 10".
[[nodiscard]] QString countOfRepeats(const record::VariantResult& variant,
                                     const ChartOptions& options);
/// The bar of an incomplete variant: lighter, hatched.
void paintCutShort(const ChartCanvas& canvas, QPainter& painter, const QRectF& rect);
[[nodiscard]] bool measured(const record::VariantResult& variant);
/// "does not fit", "failed", "canceled", "pending": three words at most.
[[nodiscard]] QString shortReason(const record::VariantResult& variant);
/// Details of the short reason: "cpu:0 needs 13.0 GiB, has 8.0 GiB"; may be empty.
[[nodiscard]] QString restOfReason(const record::VariantResult& variant);
/// Wraps at spaces into at most three lines of `width`; elides the rest.
[[nodiscard]] QStringList wrappedLines(const QString& text, double width);
/// The short reason and, if there are details, the whole one.
[[nodiscard]] QStringList missingFacts(const record::VariantResult& variant);

/// Title and run on one line, the subtitle on the next.
struct ChartHeading {
  QString title, run, subtitle;
};
void paintHeading(QPainter& painter, const QRectF& area, const ChartHeading& heading,
                  const Theme& theme);

/// It has a predicted and a measured step.
[[nodiscard]] bool comparesPrediction(const record::VariantResult& variant);
/// The predicted time of a repeat (all its batches); nothing without a prediction.
[[nodiscard]] std::optional<double> predictedSeconds(const record::VariantResult& variant,
                                                     const ChartOptions& options);

/// Points of the split chart: pipelines of one schedule and placement by split size; measured,
/// predicted, or both.
struct SplitSeries {
  QString name;
  std::vector<const record::VariantResult*> points;
};
[[nodiscard]] std::vector<SplitSeries> splitSeries(const record::RunResult& run,
                                                   const ChartOptions& options);
/// All of its points share one axis position.
[[nodiscard]] bool hasOneSplitSize(const record::RunResult& run, const ChartOptions& options);

}  // namespace stagelane::ui::detail
