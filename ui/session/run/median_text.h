#pragma once

/// A note on the step shown for the median: for an even number of repeats the median is between two
/// steps, and only one can be shown.

#include <QString>

#include "engine/trace/trace.h"

namespace stagelane::ui {

/// "the faster of the two middle steps; their median is 8.52 s"; empty if the trace's middle step
/// is the median.
[[nodiscard]] QString shownForMedianText(const trace::Trace& trace);

}  // namespace stagelane::ui
