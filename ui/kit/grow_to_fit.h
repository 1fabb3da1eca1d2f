#pragma once

/// For dialogs whose texts change while they are open: without this, a longer wrapped text squeezes
/// the fields above it.

#include <QWidget>

namespace stagelane::ui {

/// Grows `dialog` to the height that its layout needs at its current width; never shrinks it. @pre
/// it has a layout
void growToFit(QWidget& dialog);

}  // namespace stagelane::ui
