#pragma once

/// The order in which Tab visits controls: as they stand, from top to bottom, left to right in a
/// row. Qt's is the order in which they were made.

#include <QWidget>

namespace stagelane::ui {

/// For a window whose controls stay: says their order to Qt. To be said again when some are added.
void orderTabsByLayout(QWidget& window);

/// For a window whose controls come and go: gives the focus to the control after the one that has
/// it (before it for `next` false), of those in `window` that can be used now. False where there is
/// none. What lays its parts out itself (no layout, splitter, scroll area or stack) has them in the
/// order of their places.
[[nodiscard]] bool focusNextByLayout(QWidget& window, bool next);

}  // namespace stagelane::ui
