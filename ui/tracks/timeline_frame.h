#pragma once

/// The surroundings of a timeline scene (track tree, ruler), and the whole picture for exports and
/// reports. Paints only; geometry comes from other files.

#include <QPainter>

#include "ui/kit/theme.h"
#include "ui/tracks/timeline_ends.h"
#include "ui/tracks/timeline_painter.h"
#include "ui/tracks/timeline_scene.h"

namespace stagelane::ui {

inline constexpr int kTimelineTreeWidth = 200;
inline constexpr int kTimelineRulerHeight = 24;

/// `top`: the content's y at the area's upper edge; `hovered`: the row under the mouse, which shows
/// its pin, -1 for none.
struct TreeView {
  const TimelineLayout& layout;
  const RowOptions& options;
  double top = 0.0;
  int hovered = -1;
};
void paintTree(QPainter& painter, const TreeView& tree, const Theme& theme, const QRectF& area);
/// Position of a row's pin in the tree's coordinates. @pre the row has a track
[[nodiscard]] QRectF pinRect(const QRectF& row);
/// `ends` replace the tick labels below them.
void paintRuler(QPainter& painter, const TimeAxis& axis, const std::vector<RulerEnd>& ends,
                const Theme& theme, const QRectF& area);

/// A timeline for printing.
struct TimelinePicture {
  const TimelineData& data;
  TimeAxis axis;
  RowOptions rows{};
  LegendFilter filter{};
  ColorBy colorBy = ColorBy::Kind;
  TimeNs predictedShiftNs = 0;
  TimelineTarget selection{};
};
/// Paints tree, ruler, rows and legend, `width` logical pixels wide, downward from the painter's
/// origin. @returns the height; with a null painter only measures
double paintTimelinePicture(QPainter* painter, const TimelinePicture& picture, double width,
                            const Theme& theme, PaintMode mode);

}  // namespace stagelane::ui
