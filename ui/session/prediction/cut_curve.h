#pragma once

/// "Step time by cut": the plan with one other cut, for each place where its chain can be cut.

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "engine/base/ids.h"
#include "ui/session/document/plan_edits.h"

namespace stagelane::ui {

/// Predicted step time of one possible cut.
struct CutPoint {
  std::size_t block = 0;  ///< cut before this block
  TimeNs stepNs = 0;
  bool overBudget = false;
};
using CutCurve = std::vector<CutPoint>;

/// The point of the plan's first cut; nothing if the curve has none of its cuts.
[[nodiscard]] inline std::optional<std::size_t> cutOf(const CutCurve& curve,
                                                      const PlanShape& shape) {
  const auto found = std::find_if(curve.begin(), curve.end(), [&shape](const CutPoint& point) {
    return shape.stageBegins[point.block];
  });
  return found == curve.end() ? std::nullopt
                              : std::optional(static_cast<std::size_t>(found - curve.begin()));
}

/// The shortest step among those that fit.
[[nodiscard]] inline std::optional<std::size_t> bestCut(const CutCurve& curve) {
  std::optional<std::size_t> best;
  for (std::size_t at = 0; at < curve.size(); ++at) {
    if (!curve[at].overBudget && (!best || curve[at].stepNs < curve[*best].stepNs)) best = at;
  }
  return best;
}

}  // namespace stagelane::ui
