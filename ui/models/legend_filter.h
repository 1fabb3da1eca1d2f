#pragma once

/// What the legend switches off, on the Timeline and in the Charts.

#include <vector>

#include "profiler/analysis/idle.h"
#include "profiler/trace/trace.h"

namespace stagelane::ui {

struct LegendFilter {
  std::vector<trace::Category> hiddenCategories{};
  std::vector<analysis::Cause> hiddenCauses{};
  friend bool operator==(const LegendFilter&, const LegendFilter&) = default;
};

}  // namespace stagelane::ui
