#pragma once

/// Draws the lanes view from the plan model and its geometry. Decides nothing and keeps nothing.

#include <QPainter>
#include <QPointF>
#include <optional>
#include <utility>
#include <vector>

#include "ui/kit/theme.h"
#include "ui/plan/lanes/boundary_labels.h"
#include "ui/plan/lanes/lanes_geometry.h"
#include "ui/plan/plan_model.h"
#include "ui/plan/plan_selection.h"

namespace stagelane::ui {

/// What the hand and the keyboard are doing.
struct LanesState {
  bool focused = false;
  std::optional<std::size_t> hoveredChip;
  BlockSet dragged;  ///< empty when nothing is dragged
  std::optional<int> targetLane;
  QPointF cursor;
  std::optional<QString> refusal;  ///< why the drop under the cursor is refused
};

class LanesPainter {
 public:
  LanesPainter(QPainter& painter, const PlanModel& model, const LanesGeometry& geometry,
               const LanesState& state);
  void paint();

 private:
  void paintTitle();
  /// Over what is scrolled under it.
  void paintHeaders();
  void paintBracket(const GroupPlace& group, const QRectF& rect);
  void paintLane(int lane);
  void paintHeader(int lane);
  /// A part of a gauge's bar: its share of the bar's width.
  struct GaugePart {
    double share = 0.0;
    QColor color;
  };
  struct Gauge {
    QString label;
    QString text;
    std::vector<GaugePart> parts;
    std::optional<double> tick;                      ///< the plan before a drag
    std::optional<std::pair<double, double>> range;  ///< error bar
    std::optional<double> measured;
    bool over = false;
  };
  void paintGauge(const QRectF& row, const Gauge& gauge);
  void paintChip(std::size_t chip, int lane);
  void paintChipText(const ChipPlace& chip, const QRectF& rect, const QString& problem);
  /// Below the name: time, what it keeps, what is wrong.
  void paintChipFigures(const ChipPlace& chip, const QRectF& inner, const QString& problem,
                        qreal iconSpace);
  [[nodiscard]] QString widthText(const ChipPlace& chip) const;
  /// Locked, or broken; empty for neither.
  [[nodiscard]] QString iconOf(const ChipPlace& chip, bool failed) const;
  [[nodiscard]] QColor colorOf(const QString& icon) const;
  /// "tied to fc"; empty for none.
  [[nodiscard]] QString tiedWords(const ChipPlace& chip) const;
  [[nodiscard]] QRectF tooltipPlace(const QSizeF& size) const;
  void paintRatio(const ChipPlace& chip, const QRectF& rect);
  void paintOrigin(std::size_t chip);
  void paintBoundaries();
  void paintBoundaryThatWas(std::size_t block);
  void paintBoundaryLabel(const BoundaryLabel& label, std::size_t block);
  void paintBar(const BoundaryBar& bar, const QPen& pen);
  /// Nothing where a device has no lane.
  [[nodiscard]] std::optional<BoundaryBar> barBefore(std::size_t block,
                                                     const PlanShape& shape) const;
  [[nodiscard]] QString boundaryText(std::size_t block, bool brief) const;
  void paintTooltip();
  [[nodiscard]] bool isDragged(const ChipPlace& chip) const;
  [[nodiscard]] int laneOf(const ChipPlace& chip, const PlanShape& shape) const;
  [[nodiscard]] QString labelOf(const ChipPlace& chip) const;

  QPainter& m_painter;
  const PlanModel& m_model;
  const LanesGeometry& m_geometry;
  const LanesState& m_state;
  const Theme& m_theme;
  std::vector<QRectF> m_labels;  ///< what is written between lanes
};

}  // namespace stagelane::ui
