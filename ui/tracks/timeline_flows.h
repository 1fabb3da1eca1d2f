#pragma once

/// What an event waited for and what waited for it: producer → send → receive → consumer, and the
/// arrows that a trace brings along. Follows the stages and micro-batches of actions.

#include <cstdint>
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

/// The arrows into and out of an event, through the transfers between. Empty for other targets.
[[nodiscard]] EventFlows flowsOf(const TimelineData& data, const TimelineTarget& target);

}  // namespace stagelane::ui
