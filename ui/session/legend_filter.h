#pragma once

/// What the legend hides on the Timeline and Charts pages: kinds of work by category, idle time by
/// cause.

#include <vector>

#include "engine/base/find.h"
#include "engine/trace/trace.h"
#include "profiler/analysis/idle.h"

namespace stagelane::ui {

struct LegendFilter {
  std::vector<trace::Category> hiddenCategories{};
  std::vector<analysis::Cause> hiddenCauses{};
  friend bool operator==(const LegendFilter&, const LegendFilter&) = default;
};

[[nodiscard]] inline bool hides(const LegendFilter& filter, trace::Category category) {
  return contains(filter.hiddenCategories, category);
}

[[nodiscard]] inline bool hides(const LegendFilter& filter, analysis::Cause cause) {
  return contains(filter.hiddenCauses, cause);
}

/// The legend category of this one: categories of one color share an entry.
[[nodiscard]] trace::Category legendCategory(trace::Category category);
/// The legend entry of a kind of work. @pre `cause` is busy and not `Compute`
[[nodiscard]] trace::Category categoryOf(analysis::Cause cause);
/// For a kind of work: whether its entry is hidden; for idle time: whether its cause is.
[[nodiscard]] bool isHidden(const LegendFilter& filter, analysis::Cause cause);
/// Shows or hides a legend entry with all its categories.
void setSwitchedOff(LegendFilter& filter, trace::Category entry, bool off);
void setSwitchedOff(LegendFilter& filter, analysis::Cause cause, bool off);
/// Toggles a legend entry with all its categories.
void toggle(LegendFilter& filter, analysis::Cause cause);
/// All hidden kinds of work and causes.
[[nodiscard]] std::vector<analysis::Cause> hiddenCauses(const LegendFilter& filter);

}  // namespace stagelane::ui
