#pragma once

/// The rows of the timeline and their positions: per device a header, utilization, the predicted
/// ghost, actions (or only idle time), copies, operators, kernels, counters. Pure layout in content
/// coordinates (y from 0); the view scrolls it.

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
/// Idle time is shaded between a device's actions; a device without actions has a row for it.
[[nodiscard]] constexpr bool showsIdle(RowKind kind) {
  return kind == RowKind::Actions || kind == RowKind::Idle;
}

struct TimelineRow {
  RowKind kind = RowKind::Header;
  std::int32_t device = -1;  ///< index into the trace's devices, -1 for tracks without one
  std::int32_t track = -1;   ///< index into its tracks, for rows of events and counters
  int lane = 0;              ///< overlapping events are stacked from 0
  QString label{};
  QString detail{};  ///< muted, at the label's right or below
  /// Values at the upper and lower edge of an open counter; "" if empty.
  QString highest{}, lowest{};
  bool foldable = false;
  bool folded = false;
  double y = 0.0;
  double height = 0.0;
  [[nodiscard]] double bottom() const { return y + height; }
};

struct RowOptions {
  bool predicted = true;               ///< ghost rows, if there is a prediction
  std::set<std::int32_t> collapsed{};  ///< devices folded to their header
  std::set<std::int32_t> toggled{};    ///< tracks whose folding differs from the default
  std::vector<std::int32_t> pinned{};  ///< tracks also shown above all others
  bool everything = false;             ///< nothing folded, for pictures
};

struct TimelineLayout {
  std::vector<TimelineRow> rows;
  double height = 0.0;
  /// Row under `y`, -1 for none.
  [[nodiscard]] int rowAt(double y) const;
};

[[nodiscard]] TimelineLayout layoutRows(const TimelineData& data, const RowOptions& options);
/// Only the pinned tracks, named with their device.
[[nodiscard]] TimelineLayout layoutPinned(const TimelineData& data, const RowOptions& options);

/// The device of `trace` with this name, -1 for none.
[[nodiscard]] std::int32_t deviceNamed(const trace::Trace& trace, const std::string& name);

}  // namespace stagelane::ui
