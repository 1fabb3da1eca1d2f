#include "ui/plan/lanes/boundary_labels.h"

#include <algorithm>

namespace stagelane::ui {
namespace {

constexpr qreal kBesideBar = 8.0;

bool crossesGapOf(const BoundaryBar& bar, const BoundaryBar& labeled) {
  return bar.upper <= labeled.upper && bar.lower > labeled.upper;
}

bool isFree(const QRectF& rect, const BoundaryBar& labeled, const std::vector<BoundaryBar>& bars,
            const std::vector<QRectF>& taken) {
  const bool onBar = std::any_of(bars.begin(), bars.end(), [&](const BoundaryBar& bar) {
    return crossesGapOf(bar, labeled) && bar.x >= rect.left() && bar.x <= rect.right();
  });
  return !onBar && std::none_of(taken.begin(), taken.end(),
                                [&](const QRectF& other) { return other.intersects(rect); });
}

}  // namespace

std::vector<std::optional<BoundaryLabel>> boundaryLabels(const std::vector<BoundaryBar>& bars,
                                                         qreal least, qreal most,
                                                         std::vector<QRectF> taken) {
  std::vector<std::optional<BoundaryLabel>> labels;
  for (const BoundaryBar& bar : bars) {
    std::optional<BoundaryLabel>& label = labels.emplace_back();
    if (bar.upper == bar.lower) continue;
    for (const bool brief : {false, true}) {
      const qreal width = brief ? bar.brief : bar.whole;
      for (const qreal left : {bar.x - kBesideBar - width, bar.x + kBesideBar}) {
        const QRectF rect(left, bar.labelTop, width, bar.labelHeight);
        if (!label && left > least && rect.right() < most && isFree(rect, bar, bars, taken)) {
          label = BoundaryLabel{rect, brief};
        }
      }
    }
    if (label) taken.push_back(label->rect);
  }
  return labels;
}

}  // namespace stagelane::ui
