#pragma once

/// The scene under construction; everything added is clipped to it. Shared by its parts.

#include <algorithm>
#include <optional>

#include "ui/tracks/timeline_scene.h"

namespace stagelane::ui::detail {

class SceneCanvas {
 public:
  explicit SceneCanvas(const SceneInput& input) : in(input) {
    scene.width = input.axis.widthPx();
    scene.height = input.height;
    scene.resolution = input.resolution;
  }

  [[nodiscard]] double yOf(double contentY) const { return contentY - in.top; }
  /// Nothing if no part is inside.
  [[nodiscard]] std::optional<QRectF> cut(double x1, double x2, double y, double height) const {
    const double left = std::max(x1, 0.0), right = std::min(x2, scene.width);
    const double top = std::max(y, 0.0), bottom = std::min(y + height, scene.height);
    if (right <= left || bottom <= top) return std::nullopt;
    return QRectF(QPointF(left, top), QPointF(right, bottom));
  }
  /// Part of a row between two x.
  [[nodiscard]] std::optional<QRectF> cut(const TimelineRow& row, double x1, double x2) const {
    return cut(x1, x2, yOf(row.y), row.height);
  }
  /// Times computed in two ways may differ from the edge by rounding.
  [[nodiscard]] bool isOnScene(double x) const { return x > -1e-6 && x < scene.width + 1e-6; }
  void verticalLine(double x, SceneLine::Kind kind) {
    if (!isOnScene(x)) return;
    const double inside = std::clamp(x, 0.0, scene.width);
    scene.lines.push_back({inside, 0.0, inside, scene.height, kind});
  }

  const SceneInput& in;
  TimelineScene scene;
};

/// Draws the events of one lane into a row. `zeroNs` is the moment at x = 0.
struct LaneToDraw {
  const trace::LaneIndex& index;
  std::size_t track = 0;
  std::size_t lane = 0;
  TimeNs zeroNs = 0;
  Ink::Kind kind = Ink::Kind::Action;
};
void drawLane(SceneCanvas& canvas, const LaneToDraw& lane, const TimelineRow& row);
/// Marks the search results in a row of events.
void drawFound(SceneCanvas& canvas, const TimelineRow& row);

void drawUtilisation(SceneCanvas& canvas, const TimelineRow& row);
void drawCounter(SceneCanvas& canvas, const TimelineRow& row);
void drawIdle(SceneCanvas& canvas, const TimelineRow& row);
void drawArrows(SceneCanvas& canvas);

}  // namespace stagelane::ui::detail
