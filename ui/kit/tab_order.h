#pragma once

/// Tab order by position: top to bottom, left to right in a row. Qt's is the order of creation.

#include <QWidget>

namespace stagelane::ui {

/// Sets Qt's tab order for a window with fixed controls. Call again after adding controls.
void orderTabsByLayout(QWidget& window);

/// For a window whose controls come and go: moves the focus to the next usable control in `window`
/// (the previous one if `next` is false). Returns false if there is none. Children without a
/// layout, splitter, scroll area or stack are ordered by position.
[[nodiscard]] bool focusNextByLayout(QWidget& window, bool next);

}  // namespace stagelane::ui
