#pragma once

/// Shared context of the lanes view's painters.

#include <QPainter>
#include <QPointF>
#include <algorithm>
#include <optional>
#include <vector>

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

/// The lanes of a block's replicas, from the first.
[[nodiscard]] inline std::vector<int> lanesOfBlock(const PlanModel& model, const PlanShape& shape,
                                                   std::size_t block) {
  std::vector<int> lanes;
  for (const DeviceId& device : replicasOfBlock(shape, block)) {
    if (const int lane = model.laneOf(device); lane >= 0) lanes.push_back(lane);
  }
  return lanes;
}

struct LanesCanvas {
  QPainter& painter;
  const PlanModel& model;
  const LanesGeometry& geometry;
  const LanesState& state;
  const Theme& theme;

  [[nodiscard]] bool isDragged(const ChipPlace& chip) const {
    return std::binary_search(state.dragged.begin(), state.dragged.end(), chip.first);
  }
  /// In the first replica. Negative if the device has no lane.
  [[nodiscard]] int laneOf(const ChipPlace& chip, const PlanShape& shape) const {
    return model.laneOf(shape.deviceOfBlock[chip.first]);
  }
  /// One for each replica, from the first.
  [[nodiscard]] std::vector<int> lanesOf(const ChipPlace& chip, const PlanShape& shape) const {
    return lanesOfBlock(model, shape, chip.first);
  }
};

}  // namespace stagelane::ui
