#include "ui/kit/edge_scroll.h"

#include <algorithm>

namespace stagelane::ui {
namespace {

/// @param depth pixels inside the zone, or beyond the edge
int stepFor(int depth) { return depth <= 0 ? 0 : 1 + std::min(depth, 2 * kEdgeZone) / 4; }

}  // namespace

int edgeStep(int position, int length) {
  // Keep a middle zone without scrolling in small views.
  const int zone = std::min(kEdgeZone, length / 3);
  const int before = zone - position;
  const int behind = position - (length - zone);
  return stepFor(behind) - stepFor(before);
}

}  // namespace stagelane::ui
