#pragma once

/// Rectangles of the lanes view: titles, brackets over groups, lane headers, chips; for painting,
/// hit tests and the UI map. The headers stay visible and cover chips that scroll under them.

#include <QPointF>
#include <QRectF>
#include <functional>
#include <optional>
#include <vector>

#include "ui/kit/theme.h"
#include "ui/plan/plan_model/chain_layout.h"

namespace stagelane::ui {

struct LanesGeometry {
  static constexpr qreal kTitleHeight = 28;
  static constexpr qreal kBracketHeight = 28;
  static constexpr qreal kChipInset = 8;
  static constexpr qreal kContentPadding = 8;

  ChainLayout chain;
  LaneStack lanes;
  qreal width = 0;
  qreal bracketColumn = 0;  ///< room for the brackets of replicas, at the left of the headers
  qreal scrolled = 0;       ///< width scrolled out on the left

  [[nodiscard]] static LanesGeometry make(const ChainRequest& request, int laneCount, qreal width,
                                          qreal bracketColumn = 0);
  /// Room for chips in a view of this width.
  [[nodiscard]] static qreal chainWidth(qreal width, qreal bracketColumn = 0);
  /// Minimum width of a view with so many chips.
  [[nodiscard]] static int leastWidth(std::size_t chips, qreal bracketColumn = 0);

  /// Left and right end of the headers.
  [[nodiscard]] qreal headerLeft() const { return scrolled; }
  [[nodiscard]] qreal headerRight() const { return scrolled + headerWidth(); }
  [[nodiscard]] qreal headerWidth() const { return bracketColumn + measure::kLaneHeaderWidth; }
  [[nodiscard]] qreal contentLeft() const { return headerWidth() + kContentPadding; }
  [[nodiscard]] qreal height() const { return lanes.bottom() + kContentPadding; }
  [[nodiscard]] QRectF titleRect() const;
  /// The header column including its title, which stays visible.
  [[nodiscard]] QRectF headerColumn() const;
  [[nodiscard]] QRectF laneRect(int lane) const;
  [[nodiscard]] QRectF headerRect(int lane) const;
  /// At the left of the headers of these lanes.
  [[nodiscard]] QRectF bracketRect(int firstLane, int lastLane) const;
  /// The lane without its header.
  [[nodiscard]] QRectF contentRect(int lane) const;
  /// Opens the device menu.
  [[nodiscard]] QRectF deviceMenuRect(int lane) const;
  [[nodiscard]] QRectF chipRect(std::size_t chip, int lane) const;
  [[nodiscard]] QRectF groupRect(std::size_t group) const;
  /// The visible part of a chip or group; empty if the headers cover it.
  [[nodiscard]] QRectF uncovered(QRectF rect) const;
  [[nodiscard]] qreal cutX(std::size_t block) const { return contentLeft() + chain.cutX(block); }

  /// A chip is in one lane for each replica.
  using LanesOfChip = std::function<std::vector<int>(const ChipPlace&)>;
  [[nodiscard]] std::optional<std::size_t> chipAt(const QPointF& at,
                                                  const LanesOfChip& lanes) const;
  [[nodiscard]] std::optional<std::size_t> groupAt(const QPointF& at) const;
};

}  // namespace stagelane::ui
