#pragma once

/// Coordinate math of the timeline: time ↔ pixels, zoom about a point, pan, ticks. Times are
/// relative to the step's start so that a double never loses a nanosecond. Pure values.

#include <QString>
#include <vector>

#include "engine/base/ids.h"

namespace stagelane::ui {

/// The visible part of a time range on a number of pixels. @units nanoseconds, logical pixels
class TimeAxis {
 public:
  /// Shows all of [0, rangeNs).
  explicit TimeAxis(TimeNs rangeNs = 1, double widthPx = 1.0);

  [[nodiscard]] double firstNs() const { return m_first; }
  [[nodiscard]] double spanNs() const { return m_span; }
  [[nodiscard]] double lastNs() const { return m_first + m_span; }
  [[nodiscard]] TimeNs rangeNs() const { return m_range; }
  [[nodiscard]] double widthPx() const { return m_width; }
  [[nodiscard]] double nsPerPixel() const { return m_span / m_width; }

  /// Exactly widthPx() for the end of a full view.
  [[nodiscard]] double xOf(double timeNs) const { return (timeNs - m_first) / m_span * m_width; }
  [[nodiscard]] double timeAt(double x) const { return m_first + x * nsPerPixel(); }

  void setWidth(double widthPx);
  /// Sets a new range and shows all of it.
  void setRange(TimeNs rangeNs);
  /// `factor` > 1 zooms in; the time under `x` stays fixed. Stops at kMinimumSpanNs and the range.
  void zoomAt(double x, double factor);
  /// Moves the view by pixels (positive is later), kept inside the range.
  void panBy(double pixels);
  /// Shows [fromNs, toNs], widened to kMinimumSpanNs and kept inside the range.
  void show(double fromNs, double toNs);
  void fit();

  static constexpr double kMinimumSpanNs = 10.0;

  friend bool operator==(const TimeAxis&, const TimeAxis&) = default;

 private:
  void clamp();

  TimeNs m_range;
  double m_first = 0.0;
  double m_span;
  double m_width;
};

/// A tick of the ruler with its label ("50 ms").
struct Tick {
  double timeNs = 0.0;
  QString label;
};
/// Round times (1, 2 or 5 × 10ⁿ) at least `minimumGapPx` apart, in one unit for the whole view.
[[nodiscard]] std::vector<Tick> ticksOf(const TimeAxis& axis, double minimumGapPx);

}  // namespace stagelane::ui
