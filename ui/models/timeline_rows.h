#pragma once

/// Which rows the timeline has and where they are: per device a header, utilisation, the predicted
/// ghost, actions, copies, operators, memory. Pure layout in the content's own coordinates (y from
/// 0); the view scrolls it.

#include <QString>
#include <set>
#include <vector>

#include "profiler/trace/trace.h"

namespace stagelane::ui {

enum class RowKind { Header, Utilisation, Ghost, Actions, Copies, Operators, Memory };

struct TimelineRow {
  RowKind kind = RowKind::Header;
  std::int32_t device = -1;  ///< index into the trace's devices
  std::int32_t track = -1;   ///< index into its tracks, for rows of events and counters
  int lane = 0;              ///< overlapping events are stacked: 0 is the first
  QString label{};
  double y = 0.0;
  double height = 0.0;
  [[nodiscard]] double bottom() const { return y + height; }
};

struct RowOptions {
  bool predicted = true;             ///< ghost rows, where there is a prediction
  std::set<std::int32_t> collapsed;  ///< devices folded to their header
};

struct TimelineLayout {
  std::vector<TimelineRow> rows;
  double height = 0.0;
  /// Row under `y`, -1 for none.
  [[nodiscard]] int rowAt(double y) const;
};

/// Rows of a trace. `predicted` may be null (no ghost rows).
[[nodiscard]] TimelineLayout layoutRows(const trace::Trace& trace, const trace::Trace* predicted,
                                        const RowOptions& options);

/// Lane of each event of a track (0 …), so that events of one lane do not overlap; zero-length
/// events share. @returns one number an event of `rangeOfTrack`
[[nodiscard]] std::vector<int> stackLanes(const trace::Trace& trace, std::size_t track);
/// The device of `trace` with this name, -1 for none.
[[nodiscard]] std::int32_t deviceNamed(const trace::Trace& trace, const std::string& name);

}  // namespace stagelane::ui
