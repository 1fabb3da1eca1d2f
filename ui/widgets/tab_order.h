#pragma once

/// The order in which Tab visits controls. Qt's is the order in which they were made, which is not
/// where they stand.

#include <QWidget>

namespace stagelane::ui {

/// Tab visits what stands in the layouts of `window` from top to bottom, and left to right in a
/// row. To be said again when controls are added.
void orderTabsByLayout(QWidget& window);

}  // namespace stagelane::ui
