#pragma once

/// Rectangles of the lanes view: titles, brackets over groups, lane headers, chips. One answer for
/// painting, for hit tests and for the UI map. Where the chips are scrolled, the headers stay in
/// sight and cover what is under them.

#include <QPointF>
#include <QRectF>
#include <functional>
#include <optional>

#include "ui/kit/theme.h"
#include "ui/plan/lanes/chain_layout.h"

namespace stagelane::ui {

struct LanesGeometry {
  static constexpr qreal kTitleHeight = 28;
  static constexpr qreal kBracketHeight = 28;
  static constexpr qreal kChipInset = 8;
  static constexpr qreal kContentPadding = 8;

  ChainLayout chain;
  LaneStack lanes;
  qreal width = 0;
  qreal scrolled = 0;  ///< how much of the view is out of sight on the left

  [[nodiscard]] static LanesGeometry make(const ChainRequest& request, int laneCount, qreal width);
  /// What a view of `width` leaves for chips.
  [[nodiscard]] static qreal chainWidth(qreal width);
  /// The least width of a view in which so many chips can be seen.
  [[nodiscard]] static int leastWidth(std::size_t chips);

  /// Where the headers begin and end.
  [[nodiscard]] qreal headerLeft() const { return scrolled; }
  [[nodiscard]] qreal headerRight() const { return scrolled + measure::kLaneHeaderWidth; }
  [[nodiscard]] qreal contentLeft() const { return measure::kLaneHeaderWidth + kContentPadding; }
  [[nodiscard]] qreal height() const { return lanes.bottom() + kContentPadding; }
  [[nodiscard]] QRectF titleRect() const;
  /// All that stays in sight: the column of the headers, from the title on.
  [[nodiscard]] QRectF headerColumn() const;
  [[nodiscard]] QRectF laneRect(int lane) const;
  [[nodiscard]] QRectF headerRect(int lane) const;
  /// What the header leaves of a lane.
  [[nodiscard]] QRectF contentRect(int lane) const;
  /// Opens what can be done with the device.
  [[nodiscard]] QRectF deviceMenuRect(int lane) const;
  [[nodiscard]] QRectF chipRect(std::size_t chip, int lane) const;
  [[nodiscard]] QRectF groupRect(std::size_t group) const;
  /// What the headers leave of a chip or a group: empty where they cover it.
  [[nodiscard]] QRectF uncovered(QRectF rect) const;
  [[nodiscard]] qreal cutX(std::size_t block) const { return contentLeft() + chain.cutX(block); }

  using LaneOfChip = std::function<int(const ChipPlace&)>;
  [[nodiscard]] std::optional<std::size_t> chipAt(const QPointF& at, const LaneOfChip& lane) const;
  [[nodiscard]] std::optional<std::size_t> groupAt(const QPointF& at) const;
};

}  // namespace stagelane::ui
