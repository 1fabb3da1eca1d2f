#pragma once

/// Icons of resources/icons/icons.svg, tinted when drawn: one shape for both themes and all states,
/// sharp at every device pixel ratio.

#include <QColor>
#include <QIcon>
#include <QRectF>
#include <QString>

class QPainter;

namespace stagelane::ui {

/// `name` is the id of a group in the file; an unknown name returns an empty icon.
[[nodiscard]] QIcon icon(const QString& name, const QColor& color, const QColor& disabled);
[[nodiscard]] QIcon icon(const QString& name, const QColor& color);
void paintIcon(QPainter& painter, const QString& name, const QColor& color, const QRectF& rect);

}  // namespace stagelane::ui
