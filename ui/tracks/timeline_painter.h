#pragma once

/// Paints a TimelineScene in the theme's colors: the same on screen, in PNG, SVG and PDF. Vector
/// mode draws hatches as lines, because texture brushes become raster images.

#include <QPainter>

#include "ui/kit/pictures/picture.h"
#include "ui/kit/theme.h"
#include "ui/tracks/timeline_scene.h"

namespace stagelane::ui {

/// Paints at the painter's origin, within `scene.width` × `scene.height`.
void paintScene(QPainter& painter, const TimelineScene& scene, const Theme& theme, PaintMode mode);

/// Fill of a scene color, and the text on it.
[[nodiscard]] QColor fillOfKey(const Theme& theme, ColorKey key);
[[nodiscard]] QColor textOnKey(const Theme& theme, ColorKey key);

/// The cause's hatch as lines inside `rect`, with its background. For vector mode and reports.
void paintHatch(QPainter& painter, const QRectF& rect, const Theme& theme, analysis::Cause cause);

}  // namespace stagelane::ui
