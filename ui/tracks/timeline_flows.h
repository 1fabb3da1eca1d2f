#pragma once

/// Dependencies of an event: producer → send → receive → consumer by stage and micro-batch, and the
/// flows recorded in the trace.

#include <vector>

#include "engine/trace/trace.h"
#include "ui/tracks/timeline_data.h"

namespace stagelane::ui {

struct EventFlow {
  std::size_t from = 0;  ///< events of the trace
  std::size_t to = 0;
  friend auto operator<=>(const EventFlow&, const EventFlow&) = default;
};
using EventFlows = std::vector<EventFlow>;

/// The arrows into and out of an event, including the transfers between. Empty for other targets.
[[nodiscard]] EventFlows flowsOf(const TimelineData& data, const TimelineTarget& target);

}  // namespace stagelane::ui
