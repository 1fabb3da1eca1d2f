#pragma once

/// The look of standard controls, made from the theme's tokens: flat, 1 px lines, 4 px corners. Own
/// widgets paint themselves from the theme and are not named here. Controls ask for a look by the
/// dynamic property `look`: `primary`, `flat`, `rail`, `segment`, `strip`, `panel`, `muted`, …

#include <QString>
#include <QStyle>

#include "ui/kit/theme.h"

namespace stagelane::ui {

[[nodiscard]] QString styleSheetOf(const Theme& theme);

/// Qt's Fusion without what the sheet draws in another way: icons of dialog buttons and the box
/// behind the words of a button that has the keyboard; labels show their text as it is, markup
/// only where they were told to. The application owns it.
[[nodiscard]] QStyle* makeStyle();

}  // namespace stagelane::ui
