#pragma once

/// What a run that goes on is doing, in words.

#include <QString>

#include "ui/models/session.h"

namespace stagelane::ui {

/// "tutorial 8, repeat 2 of 3", "tutorial 8, warm-up"; empty before the first turn.
[[nodiscard]] QString turnText(const Session& session);

}  // namespace stagelane::ui
