#pragma once

/// The whole trace in a strip: its steps side by side in the order of time, the one that is shown
/// with at least half of the room, the others dimmed. Where each lies, what it is called, and how
/// busy the devices were in it. Pure layout in parts of the strip's width; made once a step.

#include <QString>
#include <vector>

#include <utility>

#include "ui/tracks/timeline_data.h"

namespace stagelane::ui {

struct OverviewSegment {
  int step = -1;  ///< index into the trace's steps
  bool shown = false;
  bool extra = false;                      ///< no time is taken from it
  double left = 0.0;                       ///< 0 … 1
  double right = 1.0;                      ///< 0 … 1
  QString name{};                          ///< "repeat 3", "extra repeat, no time taken from it"
  std::vector<std::vector<float>> busy{};  ///< [device][bucket], 0 … 1; none for the shown one
};

struct TraceOverview {
  std::vector<OverviewSegment> segments;
  /// The one that is shown; all of the strip where there is none by itself.
  [[nodiscard]] const OverviewSegment* shown() const;
  /// Under a place of 0 … 1; null between two.
  [[nodiscard]] const OverviewSegment* at(double place) const;
};

/// How devices share the height of the strip: a row each, several a row where there are more of
/// them than rows that can be told apart.
class OverviewRows {
 public:
  OverviewRows(std::size_t devices, double height);
  [[nodiscard]] std::size_t count() const { return m_count; }
  /// [first, end) of the devices that a row stands for.
  [[nodiscard]] std::pair<std::size_t, std::size_t> devicesOf(std::size_t row) const;
  /// Top and height of a row's bar, from the strip's top on. A share (0 … 1) above 0 is seen, and
  /// rows that are high enough for it keep apart.
  [[nodiscard]] std::pair<double, double> barOf(std::size_t row, double share) const;

 private:
  std::size_t m_devices = 0, m_count = 0;
  double m_band = 0.0;
};

/// `shown` beyond the steps: the whole trace is shown, and there is nothing beside it. @thread any
[[nodiscard]] TraceOverview overviewOf(const TimelineData& data,
                                       const std::vector<trace::Step>& steps, std::size_t shown);

}  // namespace stagelane::ui
