#pragma once

/// What the Timeline's toolbar says of the step that is shown: how long it took, how long it was
/// predicted to take, and how far the two are apart.

#include "ui/timeline/timeline_toolbar.h"
#include "ui/tracks/timeline_data.h"

namespace stagelane::ui {

class Session;

/// Nothing without data. `median`: the step is shown for being the median one.
[[nodiscard]] TimelineToolbar::Headline headlineOf(const TimelineData* data, bool median,
                                                   const Session& session);

}  // namespace stagelane::ui
