#pragma once

/// The whole trace in a strip: its steps side by side in the order of time, the one that is shown
/// with at least half of the room, the others dimmed. Where each lies, what it is called, and how
/// busy the devices were in it. Pure layout in parts of the strip's width; made once a step.

#include <QString>
#include <vector>

#include "ui/models/timeline_data.h"

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

/// `shown` beyond the steps: the whole trace is shown, and there is nothing beside it. @thread any
[[nodiscard]] TraceOverview overviewOf(const TimelineData& data,
                                       const std::vector<trace::Step>& steps, std::size_t shown);

}  // namespace stagelane::ui
