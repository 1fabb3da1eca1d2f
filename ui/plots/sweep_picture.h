#pragma once

/// The points of a sweep in their order: predicted time a sample as a dashed line, measured means
/// as dots with their standard deviations, the best one ringed. On screen as a strip, on paper with
/// titles.

#include <QPainter>

#include "ui/kit/theme.h"
#include "ui/session/run/sweep_labels.h"
#include "ui/session/run/sweep_view.h"

namespace stagelane::ui {

enum class SweepUse { Window, Paper };

/// Where the points of a sweep are, in a picture of this size.
class SweepAxes {
 public:
  SweepAxes(const SweepView& sweep, QSizeF size, SweepUse use = SweepUse::Window);

  /// `seconds` a sample.
  [[nodiscard]] QPointF at(std::size_t point, double seconds) const;
  /// The point whose column this is; −1 for none.
  [[nodiscard]] int pointAt(double x) const;
  [[nodiscard]] QRectF plot() const { return m_plot; }
  /// What a point is wide.
  [[nodiscard]] double column() const { return m_column; }
  /// The longest time a sample, with its deviation; 0 where nothing is known.
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
/// What the strip in the window needs, with the names of its points.
[[nodiscard]] int leastSweepHeight(const SweepView& sweep);
/// With room to compare points by their height, where the window has it.
[[nodiscard]] int goodSweepHeight(const SweepView& sweep);

/// A row for each point; times are seconds a sample, empty where nothing is known.
[[nodiscard]] QString sweepCsv(const SweepView& sweep);

}  // namespace stagelane::ui
