#pragma once

/// Draws lanes, brackets and the drag preview of the lanes view, from the plan model and its
/// geometry. Chips, boundaries and headers have painters of their own.

#include <vector>

#include "ui/kit/theme.h"
#include "ui/plan/lanes/lanes_canvas.h"

namespace stagelane::ui {

class ChipPainter;

class LanesPainter {
 public:
  LanesPainter(QPainter& painter, const PlanModel& model, const LanesGeometry& geometry,
               const LanesState& state);
  void paint();

 private:
  void paintTitle();
  void paintBracket(const GroupPlace& group, const QRectF& rect);
  void paintLane(int lane);
  void paintOrigin(std::size_t chip);
  void paintReplicas(ChipPainter& chips, std::size_t chip);
  [[nodiscard]] bool isTarget(int lane) const;
  void paintTooltip();
  [[nodiscard]] QRectF tooltipPlace(const QSizeF& size) const;

  const LanesCanvas m_canvas;
  QPainter& m_painter;
  const PlanModel& m_model;
  const LanesGeometry& m_geometry;
  const LanesState& m_state;
  const Theme& m_theme;
  std::vector<QRectF> m_labels;  ///< labels between lanes
};

}  // namespace stagelane::ui
