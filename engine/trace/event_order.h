#pragma once

/// Turns events in arbitrary order into sorted columns and flows. Internal to engine/trace.

#include <cstdint>
#include <vector>

#include "engine/trace/trace.h"

namespace stagelane::trace::detail {

/// Event numbers in the order (track, start, -duration, number). Also fills `trackBegin`.
/// @pre `tracks` is larger than every track of the columns
[[nodiscard]] std::vector<std::uint32_t> sortedOrder(const TraceData& columns, std::size_t tracks,
                                                     std::vector<std::uint64_t>& trackBegin);

/// Reorders the event columns, one column at a time.
void applyOrder(TraceData& columns, const std::vector<std::uint32_t>& order);

/// Adds the flows implied by correlations: a send to the receive of its direction, and the host
/// event that began last to a kernel, copy or synchronization.
void addCorrelated(const TraceData& columns, std::vector<Flow>& flows);

/// Sorts the flows, removes duplicates and self-flows, and builds the order by target.
void finishFlows(TraceData& columns);

}  // namespace stagelane::trace::detail
