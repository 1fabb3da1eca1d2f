#pragma once

/// Rules for the widgets of every page and dialog, checked within the process: accessible names,
/// texts that are not cut off, helpful tool tips.

#include <QWidget>

namespace stagelane::gui {

/// Every control that Tab reaches has an objectName and an accessible name.
void expectNames(const QWidget& window);
/// Labels and buttons are as wide as their texts.
void expectUncutTexts(const QWidget& window);
/// Content that cannot be scrolled sideways is not wider than its view.
void expectNothingBesideTheView(const QWidget& window);
/// Tab goes through the controls of a dialog from top to bottom, and from left to right in a row.
void expectTabOrder(const QWidget& window);
/// Every control has a tool tip that says what it is for.
void expectToolTips(const QWidget& window);

}  // namespace stagelane::gui
