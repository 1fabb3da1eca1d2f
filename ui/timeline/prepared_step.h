#pragma once

/// A step of a trace prepared for display: its data, overview and events. Pure; scans the whole
/// trace, so large traces are prepared in another thread.

#include <QStringList>
#include <cstddef>
#include <optional>
#include <vector>

#include "ui/timeline/event_table.h"
#include "ui/timeline/trace_overview.h"

namespace stagelane::ui {

/// The inputs of a prepared step.
struct StepSource {
  static constexpr int kMedianStep = -1;
  static constexpr int kLastStep = 1 << 30;

  trace::TracePtr trace, predicted;  ///< `predicted`: shown beside the step; may be null
  trace::LaneIndexPtr lanes;         ///< of the trace; null: not computed yet
  TimelineNotes notes;
  int index = kMedianStep;
  bool foreign = false;  ///< the whole trace can be chosen in addition to its steps
};

/// Has all steps of the trace, and no data if the trace has no events.
struct PreparedStep {
  std::vector<trace::Step> steps;
  int index = -1;  ///< into `steps`; their number means the whole trace
  int median = -1;
  trace::LaneIndexPtr lanes;
  TimelineDataPtr data;
  TraceOverview overview;
  EventListPtr events;
  std::optional<std::size_t> withOperators;  ///< another step, if this one has none
  bool named = false;                        ///< the trace marks its steps
  bool wholeToo = false;                     ///< the whole trace can be chosen after the steps

  [[nodiscard]] bool isMedian() const { return named && index == median; }
};

/// @thread any
[[nodiscard]] PreparedStep prepareStep(const StepSource& source);
/// Whether preparing it is faster than starting a thread.
[[nodiscard]] bool isPreparedAtOnce(const trace::Trace& trace);
/// "repeat 2, step 1 (median)", in the order of the steps; a failure is noted at the last one. The
/// whole trace comes last if it can be chosen.
[[nodiscard]] QStringList stepNames(const PreparedStep& prepared, bool failed);

}  // namespace stagelane::ui
