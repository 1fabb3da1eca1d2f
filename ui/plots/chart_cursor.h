#pragma once

/// Walking a drawn chart with keys: through its bars, and up into its legend. Where the cursor goes
/// and where the value of a bar is shown; paints nothing.

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

/// How many things there are to walk through.
struct ChartItems {
  int bars = 0;
  int legend = 0;
};
/// Left and Up go back, Right and Down on; Up from the first bar into the legend, Down out of it.
/// From nowhere every step leads to the first bar. At an end it stays.
[[nodiscard]] ChartCursor moved(ChartCursor cursor, ChartStep step, ChartItems items);
/// The same place while it is there; nowhere once it is gone.
[[nodiscard]] ChartCursor kept(ChartCursor cursor, ChartItems items);

/// Where a note of `size` about `mark` stands: beside it, else below, else above, inside `area`.
[[nodiscard]] QRectF notePlace(const QRectF& mark, QSizeF size, const QRectF& area);

}  // namespace stagelane::ui
