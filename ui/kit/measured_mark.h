#pragma once

/// Marks a measured value beside predicted ones: a diamond, green while it belongs to the current
/// plan, gray after the plan was edited.

#include <QPainter>
#include <QPointF>

#include "ui/kit/theme.h"

namespace stagelane::ui {

[[nodiscard]] QColor measuredColor(const Theme& theme, bool stale);
void paintMeasuredMark(QPainter& painter, const Theme& theme, const QPointF& center, bool stale);

}  // namespace stagelane::ui
