#pragma once

/// The part of the step's time that the timeline shows, and the earlier parts, for undo. Pure.

#include <vector>

#include "ui/tracks/timeline_axis.h"

namespace stagelane::ui {

class TimelineZoom {
 public:
  [[nodiscard]] const TimeAxis& axis() const { return m_axis; }
  /// For another step: shows all of it and clears the history.
  void setRange(TimeNs rangeNs);
  void setWidth(double widthPx) { m_axis.setWidth(widthPx); }

  /// These can be undone.
  void zoomAt(double x, double factor);
  void show(double fromNs, double toNs);
  void fit();
  /// Returns to the part before the last of them. @returns whether there was one
  bool undo();

  /// These are not recorded for undo.
  void panBy(double pixels) { m_axis.panBy(pixels); }
  /// Shows all of the time span with the smallest change.
  void bringIntoView(double fromNs, double toNs);

  /// Zooms in or out by one key press or wheel notch.
  static constexpr double kStep = 1.25;

 private:
  void remember();

  TimeAxis m_axis;
  std::vector<TimeAxis> m_before;
};

}  // namespace stagelane::ui
