#pragma once

/// What holds for the widgets of every page and dialog, seen from within the process: names for
/// whoever cannot see, texts that are not cut, tool tips that teach.

#include <QWidget>

namespace stagelane::gui {

/// Whatever Tab reaches has an objectName and an accessible name.
void expectNames(const QWidget& window);
/// Labels and buttons are as wide as their texts.
void expectUncutTexts(const QWidget& window);
/// What cannot be scrolled sideways is not wider than what is seen of it.
void expectNothingBesideTheView(const QWidget& window);
/// Tab goes through the controls of a dialog as the eye does: from top to bottom, and left to right
/// in a row.
void expectTabOrder(const QWidget& window);
/// Whoever rests the mouse on a control learns what it is for.
void expectToolTips(const QWidget& window);

}  // namespace stagelane::gui
