#include "ui/plan/lanes/lanes_geometry.h"

#include <algorithm>
#include <cmath>

namespace stagelane::ui {

qreal LanesGeometry::chainWidth(qreal width, qreal bracketColumn) {
  return std::max<qreal>(0,
                         width - bracketColumn - measure::kLaneHeaderWidth - 2 * kContentPadding);
}

int LanesGeometry::leastWidth(std::size_t chips, qreal bracketColumn) {
  const ChainRequest usual;
  return static_cast<int>(std::ceil(bracketColumn + measure::kLaneHeaderWidth +
                                    2 * kContentPadding +
                                    static_cast<qreal>(chips) * (usual.minimumChip + usual.gap)));
}

LanesGeometry LanesGeometry::make(const ChainRequest& request, int laneCount, qreal width,
                                  qreal bracketColumn) {
  LanesGeometry geometry;
  geometry.bracketColumn = bracketColumn;
  geometry.chain = layoutChain(request);
  geometry.lanes.top = kTitleHeight + kBracketHeight;
  geometry.lanes.laneHeight = measure::kLaneHeight;
  geometry.lanes.laneGap = measure::kLaneGap;
  geometry.lanes.count = laneCount;
  geometry.width = std::max(width, geometry.contentLeft() + geometry.chain.width + kContentPadding);
  return geometry;
}

QRectF LanesGeometry::titleRect() const { return {0, 0, width, kTitleHeight}; }

QRectF LanesGeometry::headerColumn() const { return {headerLeft(), 0, headerWidth(), height()}; }

QRectF LanesGeometry::laneRect(int lane) const {
  return {0, lanes.laneTop(lane), width, lanes.laneHeight};
}

QRectF LanesGeometry::headerRect(int lane) const {
  return {headerLeft() + bracketColumn, lanes.laneTop(lane), measure::kLaneHeaderWidth,
          lanes.laneHeight};
}

QRectF LanesGeometry::bracketRect(int firstLane, int lastLane) const {
  return {QPointF(headerLeft(), lanes.laneTop(firstLane)),
          QPointF(headerLeft() + bracketColumn, lanes.laneTop(lastLane) + lanes.laneHeight)};
}

QRectF LanesGeometry::deviceMenuRect(int lane) const {
  constexpr qreal kSize = 16;
  return {headerRight() - kSize - 6, lanes.laneTop(lane) + 5, kSize, kSize};
}

QRectF LanesGeometry::contentRect(int lane) const {
  return {headerRight(), lanes.laneTop(lane), width - headerRight(), lanes.laneHeight};
}

QRectF LanesGeometry::chipRect(std::size_t chip, int lane) const {
  const ChipPlace& place = chain.chips[chip];
  return {contentLeft() + place.x, lanes.laneTop(lane) + kChipInset, place.width,
          lanes.laneHeight - 2 * kChipInset};
}

QRectF LanesGeometry::groupRect(std::size_t group) const {
  const GroupPlace& place = chain.groups[group];
  return {contentLeft() + place.x, kTitleHeight, place.width, kBracketHeight};
}

QRectF LanesGeometry::uncovered(QRectF rect) const {
  rect.setLeft(std::max(headerRight(), rect.left()));
  return rect.isValid() ? rect : QRectF();
}

std::optional<std::size_t> LanesGeometry::chipAt(const QPointF& at,
                                                 const LanesOfChip& lanesOf) const {
  for (std::size_t chip = 0; chip < chain.chips.size(); ++chip) {
    for (const int lane : lanesOf(chain.chips[chip])) {
      if (uncovered(chipRect(chip, lane)).contains(at)) return chip;
    }
  }
  return std::nullopt;
}

std::optional<std::size_t> LanesGeometry::groupAt(const QPointF& at) const {
  for (std::size_t group = 0; group < chain.groups.size(); ++group) {
    if (uncovered(groupRect(group)).contains(at)) return group;
  }
  return std::nullopt;
}

}  // namespace stagelane::ui
