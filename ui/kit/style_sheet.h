#pragma once

/// The look of standard controls, made from the theme's tokens: flat, 1 px lines, 4 px corners.
/// Widgets that paint themselves are not included. Controls select a look by the dynamic property
/// `look`: `primary`, `flat`, `rail`, `segment`, `strip`, `panel`, `muted`, …

#include <QString>
#include <QStyle>

#include "ui/kit/theme.h"

namespace stagelane::ui {

[[nodiscard]] QString styleSheetOf(const Theme& theme);

/// Qt's Fusion without the parts that the sheet replaces: icons of dialog buttons and the focus
/// frame of buttons. Labels show plain text unless set to rich text. Owned by the application.
[[nodiscard]] QStyle* makeStyle();

}  // namespace stagelane::ui
