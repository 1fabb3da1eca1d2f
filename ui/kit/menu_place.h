#pragma once

/// Keeps a button's menu inside its window. Qt keeps menus on the screen, but lets them extend
/// beyond the window's right edge.

#include <QMenu>

namespace stagelane::ui {

/// Moves `menu` left when it opens so that it stays inside the window of `button`.
void keepInWindow(QMenu* menu, const QWidget* button);

}  // namespace stagelane::ui
