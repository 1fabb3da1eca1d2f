#pragma once

/// Draws stage boundaries in the lanes view: a bar through the lanes, labeled with the bytes that
/// are transferred there.

#include <optional>
#include <vector>

#include "ui/plan/lanes/boundary_labels.h"
#include "ui/plan/lanes/lanes_canvas.h"

namespace stagelane::ui {

class BoundaryPainter {
 public:
  explicit BoundaryPainter(const LanesCanvas& canvas);
  /// @returns the rectangles of the labels between the lanes
  [[nodiscard]] std::vector<QRectF> paint();

 private:
  void paintCutBeforeDrag(std::size_t block);
  void paintLabel(const BoundaryLabel& label, std::size_t block);
  void paintFollowers(std::size_t block, const PlanShape& shape);
  void paintBar(const BoundaryBar& bar, const QPen& pen);
  /// Nothing if the device has no lane.
  [[nodiscard]] std::optional<BoundaryBar> barBefore(std::size_t block,
                                                     const PlanShape& shape) const;
  [[nodiscard]] QString textOf(std::size_t block, bool brief) const;

  QPainter& m_painter;
  const PlanModel& m_model;
  const LanesGeometry& m_geometry;
  const Theme& m_theme;
  std::vector<QRectF> m_labels;  ///< drawn so far
};

}  // namespace stagelane::ui
