#pragma once

/// Dialogs whose sentences change while they are open. A window keeps the height that it was opened
/// with, and where a wrapped text needs more than that the fields above it would be squeezed.

#include <QWidget>

namespace stagelane::ui {

/// Makes `dialog` as high as its layout needs at its present width; never lower than it is.
/// @pre it has a layout
void growToFit(QWidget& dialog);

}  // namespace stagelane::ui
