#pragma once

/// Rules for the map of controls of every page in every state.

#include "tests/gui/ui_map_file.h"

namespace stagelane::gui {

/// Every control is inside the window.
void expectInside(const UiMapFile& map);
/// Controls that can be clicked or typed into do not overlap.
void expectApart(const UiMapFile& map);
/// Every control has a text, for screen readers.
void expectTexts(const UiMapFile& map);
/// Names are unique, except those of actions and bars.
void expectUniqueNames(const UiMapFile& map);
/// All of these.
void expectSound(const UiMapFile& map);

}  // namespace stagelane::gui
