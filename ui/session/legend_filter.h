#pragma once

/// What the legend switches off, on the Timeline and in the Charts: kinds of work by their
/// category, idle time by its cause.

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

/// The category that stands for this one in a legend: what has one colour has one entry.
[[nodiscard]] trace::Category legendCategory(trace::Category category);
/// The legend's entry of a kind of work. @pre `cause` is busy, and no `Compute`
[[nodiscard]] trace::Category categoryOf(analysis::Cause cause);
/// Of a kind of work: its entry is switched off; of idle time: its cause.
[[nodiscard]] bool isHidden(const LegendFilter& filter, analysis::Cause cause);
/// Switches a legend's entry on or off, with all categories that it stands for.
void setSwitchedOff(LegendFilter& filter, trace::Category entry, bool off);
void setSwitchedOff(LegendFilter& filter, analysis::Cause cause, bool off);
/// Switches the entry over, with all categories that it stands for.
void toggle(LegendFilter& filter, analysis::Cause cause);
/// Everything that is switched off, kinds of work and causes.
[[nodiscard]] std::vector<analysis::Cause> hiddenCauses(const LegendFilter& filter);

}  // namespace stagelane::ui
