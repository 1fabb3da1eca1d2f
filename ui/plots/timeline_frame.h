#pragma once

/// What stands around a timeline scene (track tree, ruler) and the whole picture for exports and
/// reports. Paints only; geometry comes from ui/models.

#include <QPainter>

#include "ui/models/theme.h"
#include "ui/models/timeline_scene.h"
#include "ui/plots/timeline_painter.h"

namespace stagelane::ui {

inline constexpr int kTimelineTreeWidth = 200;
inline constexpr int kTimelineRulerHeight = 24;

void paintTree(QPainter& painter, const TimelineLayout& layout, const RowOptions& options,
               const Theme& theme, const QRectF& area, double top);
void paintRuler(QPainter& painter, const TimeAxis& axis, const Theme& theme, const QRectF& area);

/// Tree, ruler, every row and a legend of what is shown, at `width` logical pixels, from the
/// painter's origin down. @returns the height that it takes; with a null painter only measures
double paintTimelinePicture(QPainter* painter, const TimelineData& data, const TimeAxis& axis,
                            double width, const Theme& theme, PaintMode mode);

}  // namespace stagelane::ui
