#pragma once

/// The whole trace in a strip: its steps side by side in order of time, the shown one with at least
/// half of the width, the others dimmed. Positions, names, and how busy the devices were. Pure
/// layout in fractions of the strip's width; computed once per step.

#include <QString>
#include <vector>

#include <utility>

#include "ui/tracks/timeline_data.h"

namespace stagelane::ui {

struct OverviewSegment {
  int step = -1;  ///< index into the trace's steps
  bool shown = false;
  bool extra = false;                      ///< not timed
  double left = 0.0;                       ///< 0 … 1
  double right = 1.0;                      ///< 0 … 1
  QString name{};                          ///< "repeat 3", "extra repeat, not timed"
  std::vector<std::vector<float>> busy{};  ///< [device][bucket], 0 … 1; empty for the shown one
};

struct TraceOverview {
  std::vector<OverviewSegment> segments;
  /// The shown one; the whole strip if the whole trace is shown.
  [[nodiscard]] const OverviewSegment* shown() const;
  /// The segment at 0 … 1; null between two.
  [[nodiscard]] const OverviewSegment* at(double place) const;
};

/// How devices share the strip's height: one row each, or several per row if there are more devices
/// than distinguishable rows.
class OverviewRows {
 public:
  OverviewRows(std::size_t devices, double height);
  [[nodiscard]] std::size_t count() const { return m_count; }
  /// [first, end) of a row's devices.
  [[nodiscard]] std::pair<std::size_t, std::size_t> devicesOf(std::size_t row) const;
  /// Top and height of a row's bar, from the top of the strip. Shares above 0 stay visible, and
  /// rows have a gap between them if they are high enough.
  [[nodiscard]] std::pair<double, double> barOf(std::size_t row, double share) const;

 private:
  std::size_t m_devices = 0, m_count = 0;
  double m_band = 0.0;
};

/// `shown` beyond the steps: the whole trace is shown. @thread any
[[nodiscard]] TraceOverview overviewOf(const TimelineData& data,
                                       const std::vector<trace::Step>& steps, std::size_t shown);

}  // namespace stagelane::ui
