#pragma once

/// The rows of the timeline in two panes: pinned tracks on top, all tracks scrolled below.
/// Positions of rows, and which are folded or pinned. Pure.

#include "ui/tracks/timeline_frame.h"
#include "ui/tracks/timeline_rows.h"

namespace stagelane::ui {

/// The pinned or the scrolled rows, and their visible part.
struct TimelinePane {
  const TimelineLayout* layout = nullptr;
  double top = 0.0;     ///< content y at its upper edge
  double y = 0.0;       ///< y of its upper edge in the viewport
  double height = 0.0;  ///< in the viewport
  bool pinned = false;

  [[nodiscard]] const TimelineRow* rowAt(double viewportY) const;
};

class TimelinePanes {
 public:
  /// Keeps folded and pinned rows if the tracks are the same.
  void setData(TimelineDataPtr data);
  [[nodiscard]] const RowOptions& options() const { return m_options; }
  void setPredicted(bool predicted);

  [[nodiscard]] TimelinePane pinned() const;
  [[nodiscard]] TimelinePane scrolled(double scroll, double viewportHeight) const;
  /// Height of all tracks, without the pinned pane.
  [[nodiscard]] double contentHeight() const { return m_all.height; }

  /// Folds or unfolds the row's device or track. @pre it can be folded
  void toggleFold(const TimelineRow& row);
  void togglePin(std::int32_t track);
  /// Unfolds the target's device, so that it has a row. @pre there is data
  [[nodiscard]] const TimelineRow* openRowOf(const TimelineTarget& target);
  /// The row to fold for a selection: its track's, else its device's; null for none.
  [[nodiscard]] const TimelineRow* foldableRowOf(const TimelineTarget& target) const;

 private:
  void layOut();

  TimelineDataPtr m_data;
  RowOptions m_options;
  TimelineLayout m_all, m_pinned;
};

}  // namespace stagelane::ui
