#pragma once

/// What a widget paints itself (VirtualControlSource), told to screen readers: every chip, tab, bar
/// and point is a child of its widget with name, value, role, place and state, and can be pressed.
/// Views of item models are Qt's own business.

class QWidget;

namespace stagelane::ui {

/// Makes QAccessible ask here first. Once is enough; more does no harm. @thread the window's
void installPaintedAccess();

/// The keys mean another painted part of the widget: says so where somebody listens.
void tellPaintedFocus(QWidget* widget);

}  // namespace stagelane::ui
