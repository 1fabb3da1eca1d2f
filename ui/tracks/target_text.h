#pragma once

/// Texts shared by the descriptions of events and gaps. Part of ui/tracks/timeline_data.h.

#include "ui/tracks/timeline_data.h"

namespace stagelane::ui::detail {

/// "cuda:1"; "an unknown device" for an index below 0.
[[nodiscard]] QString deviceName(const TimelineData& data, std::int32_t device);
/// "stage 1, micro-batch 3"; empty if the event has neither.
[[nodiscard]] QString placeText(const trace::EventView& event);
/// @pre `target` is a gap
[[nodiscard]] TargetText describeGap(const TimelineData& data, const TimelineTarget& target);

}  // namespace stagelane::ui::detail
