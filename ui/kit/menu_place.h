#pragma once

/// Where the menu of a button opens. Qt keeps it on the screen, but lets the one of a button at the
/// right edge of a window hang out over what lies beside the window.

#include <QMenu>

namespace stagelane::ui {

/// Whenever `menu` opens, it is moved left as far as it would leave the window of `button`.
void keepInWindow(QMenu* menu, const QWidget* button);

}  // namespace stagelane::ui
