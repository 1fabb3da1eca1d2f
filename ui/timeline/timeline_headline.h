#pragma once

/// Headline of the Timeline's toolbar: the step's measured time, its predicted time, and the
/// difference.

#include "ui/timeline/timeline_toolbar.h"
#include "ui/tracks/timeline_data.h"

namespace stagelane::ui {

class Session;

/// Empty without data. `median`: the step is shown because it is the median one.
[[nodiscard]] TimelineToolbar::Headline headlineOf(const TimelineData* data, bool median,
                                                   const Session& session);

}  // namespace stagelane::ui
