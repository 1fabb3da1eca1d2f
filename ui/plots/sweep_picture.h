#pragma once

/// The points of a sweep in their order: predicted time a sample as a dashed line, measured means
/// as dots with their standard deviations, the best one ringed. The same on screen and on paper.

#include <QPainter>

#include "ui/models/sweep_view.h"
#include "ui/models/theme.h"

namespace stagelane::ui {

/// Where the points of a sweep are, in a picture of this size.
class SweepAxes {
 public:
  SweepAxes(const SweepView& sweep, QSizeF size);

  /// `seconds` a sample.
  [[nodiscard]] QPointF at(std::size_t point, double seconds) const;
  /// The point whose column this is; −1 for none.
  [[nodiscard]] int pointAt(double x) const;
  [[nodiscard]] QRectF plot() const { return m_plot; }
  /// What a point is wide.
  [[nodiscard]] double column() const { return m_column; }
  /// The longest time a sample; 0 where nothing is known.
  [[nodiscard]] double most() const { return m_most; }

 private:
  std::size_t m_count;
  QRectF m_plot;
  double m_column;
  double m_most = 0.0;
};

/// Paints at the painter's origin.
void paintSweep(QPainter& painter, const SweepView& sweep, QSizeF size, const Theme& theme);

/// A row for each point; times are seconds a sample, empty where nothing is known.
[[nodiscard]] QString sweepCsv(const SweepView& sweep);

}  // namespace stagelane::ui
