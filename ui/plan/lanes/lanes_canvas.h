#pragma once

/// Shared context of the lanes view's painters.

#include <QPainter>
#include <QPointF>
#include <algorithm>
#include <optional>

#include "ui/plan/lanes/lanes_geometry.h"
#include "ui/plan/plan_model/plan_model.h"

namespace stagelane::ui {

/// State of mouse and keyboard.
struct LanesState {
  bool focused = false;
  std::optional<std::size_t> hoveredChip;
  BlockSet dragged;  ///< empty when nothing is dragged
  std::optional<int> targetLane;
  QPointF cursor;
  std::optional<QString> refusal;  ///< why the drop under the cursor is refused
};

struct LanesCanvas {
  QPainter& painter;
  const PlanModel& model;
  const LanesGeometry& geometry;
  const LanesState& state;
  const Theme& theme;

  [[nodiscard]] bool isDragged(const ChipPlace& chip) const {
    return std::binary_search(state.dragged.begin(), state.dragged.end(), chip.first);
  }
  /// Negative if the device has no lane.
  [[nodiscard]] int laneOf(const ChipPlace& chip, const PlanShape& shape) const {
    return model.laneOf(shape.deviceOfBlock[chip.first]);
  }
};

}  // namespace stagelane::ui
