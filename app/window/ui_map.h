#pragma once

/// The UI map (docs/reference/json.md): every named control of the open windows, including painted
/// ones, with its text, state and rectangle on the screen. Read-only; tests and scripts use it to
/// act.

#include <QWidget>

#include "engine/base/json.h"

namespace stagelane::app {

/// `{size, page, focus, controls: [{name, role, text, enabled, value, rect}]}` of a window and its
/// open menus and dialogs.
[[nodiscard]] Json uiMap(const QWidget& window, const QString& page);

}  // namespace stagelane::app
