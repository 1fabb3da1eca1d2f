#pragma once

/// What holds for the map of controls of every page in every state.

#include "tests/gui/ui_map_file.h"

namespace stagelane::gui {

/// No control leaves the window.
void expectInside(const UiMapFile& map);
/// Nothing that can be clicked or typed into lies on something else that can.
void expectApart(const UiMapFile& map);
/// Whoever cannot see hears what everything is: no control is without words.
void expectTexts(const UiMapFile& map);
/// A name means one control; of actions and bars there may be several alike.
void expectUniqueNames(const UiMapFile& map);
/// All of these.
void expectSound(const UiMapFile& map);

}  // namespace stagelane::gui
