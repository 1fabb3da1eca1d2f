#pragma once

/// The sign of a measured figure beside predicted ones: a diamond, green while it is of the plan as
/// it is, grey once the plan was edited.

#include <QPainter>
#include <QPointF>

#include "ui/kit/theme.h"

namespace stagelane::ui {

[[nodiscard]] QColor measuredColor(const Theme& theme, bool stale);
void paintMeasuredMark(QPainter& painter, const Theme& theme, const QPointF& center, bool stale);

}  // namespace stagelane::ui
