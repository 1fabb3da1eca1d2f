#pragma once

/// Keyboard navigation of a chart: through its bars and its legend. Computes the cursor's target
/// and the position of a value's note; paints nothing.

#include <QRectF>
#include <QSizeF>

namespace stagelane::ui {

enum class ChartPlace { Nowhere, Bar, Legend };
struct ChartCursor {
  ChartPlace place = ChartPlace::Nowhere;
  int index = -1;
  friend bool operator==(const ChartCursor&, const ChartCursor&) = default;
};
enum class ChartStep { Left, Right, Up, Down, First, Last };

/// The number of navigable items.
struct ChartItems {
  int bars = 0;
  int legend = 0;
};
/// Left and Up go back, Right and Down forward; Up on the first bar enters the legend, Down leaves
/// it. Without a cursor, each key goes to the first bar. The cursor stops at the ends.
[[nodiscard]] ChartCursor moved(ChartCursor cursor, ChartStep step, ChartItems items);
/// The same position while it exists, else none.
[[nodiscard]] ChartCursor kept(ChartCursor cursor, ChartItems items);

/// Position of a note of `size` for `mark`: beside it, else below, else above, inside `area`.
[[nodiscard]] QRectF notePlace(const QRectF& mark, QSizeF size, const QRectF& area);

}  // namespace stagelane::ui
