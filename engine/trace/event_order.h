#pragma once

/// How events that came in any order become sorted columns and flows. Internal to profiler/trace.

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/trace/trace.h"

namespace stagelane::trace::detail {

/// The events' numbers in the order (track, start, -duration, number). Also fills `trackBegin`.
/// @pre `tracks` is larger than every track of the columns
[[nodiscard]] std::vector<std::uint32_t> sortedOrder(const TraceData& columns, std::size_t tracks,
                                                     std::vector<std::uint64_t>& trackBegin);

/// Brings the columns of the events into this order, one column at a time.
void applyOrder(TraceData& columns, const std::vector<std::uint32_t>& order);

/// Flows that correlations tell: a send to the receive of its direction, and the host event that
/// began last to a kernel, copy or synchronisation.
void addCorrelated(const TraceData& columns, std::vector<Flow>& flows);

/// Sorted, each once, none from an event to itself; and the order by target.
void finishFlows(TraceData& columns);

}  // namespace stagelane::trace::detail
