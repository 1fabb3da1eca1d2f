#pragma once

/// Statistics of a selected area of the timeline: counts and times of events on some tracks between
/// two times. Only the part of an event inside the area counts. Integer nanoseconds.

#include <atomic>
#include <string>
#include <vector>

#include "engine/trace/lane_index.h"

namespace stagelane::analysis {

struct AreaRow {
  std::string name;  ///< of the events; in `kinds`, the category's word
  trace::Category category = trace::Category::Other;
  std::uint64_t count = 0;
  TimeNs totalNs = 0;  ///< inside the area
  TimeNs shortestNs = 0;
  TimeNs longestNs = 0;
  [[nodiscard]] double meanNs() const {
    return count == 0 ? 0.0 : static_cast<double>(totalNs) / static_cast<double>(count);
  }
};

struct AreaStatistics {
  TimeNs fromNs = 0;
  TimeNs toNs = 0;
  std::uint64_t cutOff = 0;    ///< events that cross an edge
  AreaRow all;                 ///< without a name
  std::vector<AreaRow> kinds;  ///< by category, the longest total first
  std::vector<AreaRow> names;  ///< by name and category, the longest total first
};

struct Area {
  TimeNs fromNs = 0;  ///< absolute, [from, to)
  TimeNs toNs = 0;
  std::vector<std::size_t> tracks;
  trace::CategoryMask shown = 0xFFFF;  ///< categories to count
};

/// An event of zero length counts if it is inside. The cost is linear in the events of the area;
/// returns a partial result when `cancel` is set. @thread any
[[nodiscard]] AreaStatistics areaStatistics(const trace::Trace& trace, const Area& area,
                                            const std::atomic<bool>* cancel = nullptr);

}  // namespace stagelane::analysis
