#pragma once

/// What the legend switches off, on the Timeline and in the Charts.

#include <algorithm>
#include <vector>

#include "profiler/analysis/idle.h"
#include "profiler/trace/trace.h"

namespace stagelane::ui {

struct LegendFilter {
  std::vector<trace::Category> hiddenCategories{};
  std::vector<analysis::Cause> hiddenCauses{};
  friend bool operator==(const LegendFilter&, const LegendFilter&) = default;
};

[[nodiscard]] inline bool hides(const LegendFilter& filter, trace::Category category) {
  return std::find(filter.hiddenCategories.begin(), filter.hiddenCategories.end(), category) !=
         filter.hiddenCategories.end();
}

[[nodiscard]] inline bool hides(const LegendFilter& filter, analysis::Cause cause) {
  return std::find(filter.hiddenCauses.begin(), filter.hiddenCauses.end(), cause) !=
         filter.hiddenCauses.end();
}

}  // namespace stagelane::ui
