#pragma once

/// Exposes the parts that a widget paints itself (VirtualControlSource) to screen readers: each
/// chip, tab, bar and point is a child of its widget with name, value, role, position and state,
/// and can be pressed. Qt itself handles views of item models.

class QWidget;

namespace stagelane::ui {

/// Installs the QAccessible factory. Repeated calls have no effect. @thread the window's
void installPaintedAccess();

/// Call when the keyboard moves to another painted part: notifies screen readers.
void tellPaintedFocus(QWidget* widget);

}  // namespace stagelane::ui
