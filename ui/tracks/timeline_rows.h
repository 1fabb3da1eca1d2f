#pragma once

/// Which rows the timeline has and where they are: per device a header, utilisation, the predicted
/// ghost, actions (or idle time alone), copies, operators, kernels, counters. Pure layout in the
/// content's own coordinates (y from 0); the view scrolls it.

#include <QString>
#include <set>
#include <vector>

#include "ui/tracks/timeline_data.h"

namespace stagelane::ui {

enum class RowKind {
  Header,
  Utilisation,
  Ghost,
  Actions,
  Idle,
  Copies,
  Operators,
  Counter,
  Notice
};
/// Idle time is shaded between the actions of a device; where it has none, in a row of its own.
[[nodiscard]] constexpr bool showsIdle(RowKind kind) {
  return kind == RowKind::Actions || kind == RowKind::Idle;
}

struct TimelineRow {
  RowKind kind = RowKind::Header;
  std::int32_t device = -1;  ///< index into the trace's devices, -1 for tracks of none
  std::int32_t track = -1;   ///< index into its tracks, for rows of events and counters
  int lane = 0;              ///< overlapping events are stacked: 0 is the first
  QString label{};
  QString detail{};  ///< muted, at the label's right or below
  /// What the upper and the lower edge of an open counter mean; "" where that is nothing.
  QString highest{}, lowest{};
  bool foldable = false;
  bool folded = false;
  double y = 0.0;
  double height = 0.0;
  [[nodiscard]] double bottom() const { return y + height; }
};

struct RowOptions {
  bool predicted = true;               ///< ghost rows, where there is a prediction
  std::set<std::int32_t> collapsed{};  ///< devices folded to their header
  std::set<std::int32_t> toggled{};    ///< tracks that are not folded or open as they would be
  std::vector<std::int32_t> pinned{};  ///< tracks that are shown above all others as well
  bool everything = false;             ///< nothing folded: for pictures
};

struct TimelineLayout {
  std::vector<TimelineRow> rows;
  double height = 0.0;
  /// Row under `y`, -1 for none.
  [[nodiscard]] int rowAt(double y) const;
};

[[nodiscard]] TimelineLayout layoutRows(const TimelineData& data, const RowOptions& options);
/// The pinned tracks alone, named with their device.
[[nodiscard]] TimelineLayout layoutPinned(const TimelineData& data, const RowOptions& options);

/// The device of `trace` with this name, -1 for none.
[[nodiscard]] std::int32_t deviceNamed(const trace::Trace& trace, const std::string& name);

}  // namespace stagelane::ui
