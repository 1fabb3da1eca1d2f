#pragma once

/// A step of a trace made ready to be shown: its data, overview and events. Pure; costs a look at
/// the whole trace, so that large ones are prepared beside the window.

#include <QStringList>
#include <cstddef>
#include <optional>
#include <vector>

#include "ui/timeline/event_table.h"
#include "ui/timeline/trace_overview.h"

namespace stagelane::ui {

/// What a step is made from.
struct StepSource {
  static constexpr int kMedianStep = -1;
  static constexpr int kLastStep = 1 << 30;

  trace::TracePtr trace, predicted;  ///< `predicted`: of the step beside it; null for none
  trace::LaneIndexPtr lanes;         ///< of the trace; null: not made yet
  TimelineNotes notes;
  int index = kMedianStep;
  bool foreign = false;  ///< beside its steps the whole trace can be chosen
};

/// With all steps of its trace. Without data where the trace has no events.
struct PreparedStep {
  std::vector<trace::Step> steps;
  int index = -1;  ///< of the steps, or behind them: the whole trace
  int median = -1;
  trace::LaneIndexPtr lanes;
  TimelineDataPtr data;
  TraceOverview overview;
  EventListPtr events;
  std::optional<std::size_t> withOperators;  ///< another step, where this one has none
  bool named = false;                        ///< the trace says where its steps are
  bool wholeToo = false;                     ///< after them the whole trace can be chosen

  [[nodiscard]] bool isMedian() const { return named && index == median; }
};

/// @thread any
[[nodiscard]] PreparedStep prepareStep(const StepSource& source);
/// Small enough to be prepared before a thread would have begun.
[[nodiscard]] bool isPreparedAtOnce(const trace::Trace& trace);
/// "repeat 2, step 1 (median)", in the order of the steps; of a trace that failed the last one says
/// so. Where the whole trace can be chosen it comes last.
[[nodiscard]] QStringList stepNames(const PreparedStep& prepared, bool failed);

}  // namespace stagelane::ui
