#pragma once

/// Where the bars between stages have their labels: beside the bar, in the gap below the upper of
/// the two lanes, on no other bar and on no other label.

#include <QRectF>
#include <optional>
#include <vector>

namespace stagelane::ui {

struct BoundaryBar {
  qreal x = 0;
  int upper = 0;  ///< lanes; where both are the same, the bar crosses no gap and has no label
  int lower = 0;
  qreal labelTop = 0;
  qreal labelHeight = 0;
  qreal whole = 0;  ///< width of the label with all its words
  qreal brief = 0;  ///< and with the bytes alone
};

struct BoundaryLabel {
  QRectF rect;
  bool brief = false;
};

/// One for each bar, left of it where there is room; nothing where there is none on either side.
/// `least` and `most` are the ends of the ground, `taken` what is there already.
[[nodiscard]] std::vector<std::optional<BoundaryLabel>> boundaryLabels(
    const std::vector<BoundaryBar>& bars, qreal least, qreal most, std::vector<QRectF> taken);

}  // namespace stagelane::ui
