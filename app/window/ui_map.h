#pragma once

/// The UI map (docs/reference/json.md): every named control of the open windows, painted ones
/// included, with its text, state and rectangle on the screen. Only looks; tests and scripts act on
/// what it says.

#include <QWidget>

#include "engine/base/json.h"

namespace stagelane::app {

/// `{size, page, focus, controls: [{name, role, text, enabled, value, rect}]}` of a window and of
/// the menus and dialogs that are open beside it.
[[nodiscard]] Json uiMap(const QWidget& window, const QString& page);

}  // namespace stagelane::app
