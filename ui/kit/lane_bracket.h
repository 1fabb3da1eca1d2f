#pragma once

/// A bracket at the left of lanes that belong together, with their name beside it.

#include <QPainter>
#include <QRectF>
#include <QString>

#include "ui/kit/theme.h"

namespace stagelane::ui {

/// Paints the bracket at the right edge of `rect`, and the title above the detail at its left.
void paintLaneBracket(QPainter& painter, const Theme& theme, const QRectF& rect,
                      const QString& title, const QString& detail);

}  // namespace stagelane::ui
