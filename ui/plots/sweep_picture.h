#pragma once

/// The points of a sweep in order: predicted time per sample as a dashed line, measured means as
/// dots with standard deviations, the best one ringed. A strip on screen; with titles in exports.

#include <QPainter>

#include "ui/kit/theme.h"
#include "ui/session/run/sweep_labels.h"
#include "ui/session/run/sweep_view.h"

namespace stagelane::ui {

enum class SweepUse { Window, Paper };

/// Positions of a sweep's points in a picture of this size.
class SweepAxes {
 public:
  SweepAxes(const SweepView& sweep, QSizeF size, SweepUse use = SweepUse::Window);

  /// `seconds` per sample.
  [[nodiscard]] QPointF at(std::size_t point, double seconds) const;
  /// Index of the point in whose column `x` is; −1 for none.
  [[nodiscard]] int pointAt(double x) const;
  [[nodiscard]] QRectF plot() const { return m_plot; }
  /// The width of a point's column.
  [[nodiscard]] double column() const { return m_column; }
  /// The longest time per sample, with its deviation; 0 for none.
  [[nodiscard]] double most() const { return m_most; }
  [[nodiscard]] const SweepLabels& labels() const { return m_labels; }

 private:
  SweepLabels m_labels;
  std::size_t m_count;
  QRectF m_plot;
  double m_column;
  double m_most = 0.0;
};

/// Paints at the painter's origin.
void paintSweep(QPainter& painter, const SweepView& sweep, QSizeF size, const Theme& theme,
                SweepUse use = SweepUse::Window);
/// Height of the strip in the window, with the names of its points.
[[nodiscard]] int leastSweepHeight(const SweepView& sweep);
/// Height that allows comparing points, if the window has room.
[[nodiscard]] int goodSweepHeight(const SweepView& sweep);

/// A row per point; times in seconds per sample, empty if unknown.
[[nodiscard]] QString sweepCsv(const SweepView& sweep);

}  // namespace stagelane::ui
