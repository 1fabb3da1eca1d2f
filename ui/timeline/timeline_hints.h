#pragma once

/// Texts about the event or gap under the mouse, for its tooltip and for the status bar. Pure.

#include <QString>

#include "ui/tracks/timeline_data.h"

namespace stagelane::ui {

/// The title, and below it a gap's sentence or an event's facts, one per line.
[[nodiscard]] QString tipText(const TargetText& text);
/// "F3 on cpu:0 · duration 12 ms · predicted 11 ms", or a gap's sentence.
[[nodiscard]] QString hintText(const TargetText& text);

}  // namespace stagelane::ui
