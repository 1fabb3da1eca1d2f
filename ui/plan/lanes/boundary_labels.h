#pragma once

/// Places the labels of stage boundaries beside their bars, in the gap below the upper of the two
/// lanes, without overlapping other bars or labels.

#include <QRectF>
#include <optional>
#include <vector>

namespace stagelane::ui {

struct BoundaryBar {
  qreal x = 0;
  int upper = 0;  ///< lanes; if equal, the bar crosses no gap and has no label
  int lower = 0;
  qreal labelTop = 0;
  qreal labelHeight = 0;
  qreal whole = 0;  ///< label width with the full text
  qreal brief = 0;  ///< label width with the bytes only
};

struct BoundaryLabel {
  QRectF rect;
  bool brief = false;
};

/// One label per bar: on its left if there is room, else on its right, else none. `least` and
/// `most` are the ends of the area; `taken` is already occupied.
[[nodiscard]] std::vector<std::optional<BoundaryLabel>> boundaryLabels(
    const std::vector<BoundaryBar>& bars, qreal least, qreal most, std::vector<QRectF> taken);

}  // namespace stagelane::ui
