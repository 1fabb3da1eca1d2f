#pragma once

/// Which part of the step's time the timeline shows, and the parts it showed before. Pure.

#include <vector>

#include "ui/tracks/timeline_axis.h"

namespace stagelane::ui {

class TimelineZoom {
 public:
  [[nodiscard]] const TimeAxis& axis() const { return m_axis; }
  /// Another step: shows all of it and forgets what was shown before.
  void setRange(TimeNs rangeNs);
  void setWidth(double widthPx) { m_axis.setWidth(widthPx); }

  /// These can be undone.
  void zoomAt(double x, double factor);
  void show(double fromNs, double toNs);
  void fit();
  /// Shows what was shown before the last of them. @returns whether there was any
  bool undo();

  /// These are not worth undoing.
  void panBy(double pixels) { m_axis.panBy(pixels); }
  /// Shows all of the stretch, with no more change than that takes.
  void bringIntoView(double fromNs, double toNs);

  /// Of a key or a notch of the wheel: so much closer or farther.
  static constexpr double kStep = 1.25;

 private:
  void remember();

  TimeAxis m_axis;
  std::vector<TimeAxis> m_before;
};

}  // namespace stagelane::ui
