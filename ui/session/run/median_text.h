#pragma once

/// What is said of a step that is shown for the median: of an even number of repeats the median
/// lies between two, and a picture can show but one of them.

#include <QString>

#include "engine/trace/trace.h"

namespace stagelane::ui {

/// "the faster of the two in the middle, whose median is 8.52 s"; empty where the trace's own step
/// in the middle is the median.
[[nodiscard]] QString shownForMedianText(const trace::Trace& trace);

}  // namespace stagelane::ui
