#pragma once

/// Paints a TimelineScene with the theme's colours: the same on screen, in PNG, SVG and PDF. In
/// vector mode hatches are drawn as lines, because texture brushes become raster images there.

#include <QPainter>

#include "ui/kit/pictures/picture.h"
#include "ui/kit/theme.h"
#include "ui/tracks/timeline_scene.h"

namespace stagelane::ui {

/// Paints at the painter's origin; nothing reaches outside `scene.width` × `scene.height`.
void paintScene(QPainter& painter, const TimelineScene& scene, const Theme& theme, PaintMode mode);

/// Fill of a colour of the scene, and text on it.
[[nodiscard]] QColor fillOfKey(const Theme& theme, ColorKey key);
[[nodiscard]] QColor textOnKey(const Theme& theme, ColorKey key);

/// The cause's hatch as lines inside `rect`, with its ground. Used in vector mode and by reports.
void paintHatch(QPainter& painter, const QRectF& rect, const Theme& theme, analysis::Cause cause);

}  // namespace stagelane::ui
