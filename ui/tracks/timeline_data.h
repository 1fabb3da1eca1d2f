#pragma once

/// One step of a trace prepared for drawing: lanes with levels of detail, idle pieces with prefix
/// sums, and the predicted step. A trace without named steps is shown as a whole, including the
/// time before and after the analyzed work. Immutable; built once, on any thread.

#include <QString>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "engine/trace/lane_index.h"
#include "profiler/analysis/idle.h"
#include "ui/tracks/piece_index.h"

namespace stagelane::ui {

/// The selected or hovered item: an event, a gap (a run of idle pieces) of a device, or an event of
/// the predicted step.
struct TimelineTarget {
  enum class Kind { None, Event, Gap, Predicted } kind = Kind::None;
  std::size_t event = 0;  ///< Event: index in the trace; Predicted: index in the predicted trace
  std::int32_t device = -1;
  std::size_t firstPiece = 0;  ///< Gap: idle pieces [firstPiece, lastPiece] of the device, touching
  std::size_t lastPiece = 0;
  friend bool operator==(const TimelineTarget&, const TimelineTarget&) = default;
};

/// Notes about a trace besides its content.
struct TimelineNotes {
  std::uint64_t lost = 0;  ///< dropped or unreadable records
  QString lostReason;
  QString failure;  ///< why the run ended early; "" if it did not
};

class TimelineData {
 public:
  /// The whole trace instead of a step of it.
  static constexpr std::size_t kWholeTrace = std::numeric_limits<std::size_t>::max();

  /// @pre `stepIndex` < stepsOf(trace).size(), or kWholeTrace
  TimelineData(trace::TracePtr trace, std::size_t stepIndex, trace::TracePtr predicted);
  /// The same with an existing index.
  TimelineData(trace::LaneIndexPtr lanes, std::size_t stepIndex, trace::TracePtr predicted,
               TimelineNotes notes = {});

  [[nodiscard]] const trace::Trace& trace() const { return m_lanes->trace(); }
  [[nodiscard]] trace::TracePtr tracePtr() const { return m_lanes->tracePtr(); }
  [[nodiscard]] const trace::LaneIndex& lanes() const { return *m_lanes; }
  /// Time by cause for each device, without hosts if devices computed. No devices if nothing was
  /// computed.
  [[nodiscard]] const analysis::StepBreakdown& step() const { return m_step; }
  [[nodiscard]] std::size_t stepIndex() const { return m_stepIndex; }
  /// The moment shown as 0 and the shown duration: the step's, or the trace's.
  [[nodiscard]] TimeNs startNs() const { return m_startNs; }
  [[nodiscard]] TimeNs wallNs() const { return m_endNs - m_startNs; }
  /// Whether the whole trace is shown.
  [[nodiscard]] bool whole() const { return m_whole; }
  [[nodiscard]] const trace::Trace* predicted() const {
    return m_predictedLanes ? &m_predictedLanes->trace() : nullptr;
  }
  /// Null without a prediction, as predicted().
  [[nodiscard]] const trace::LaneIndex* predictedLanes() const { return m_predictedLanes.get(); }
  [[nodiscard]] const analysis::StepBreakdown* predictedStep() const {
    return m_predictedLanes ? &m_predictedStep : nullptr;
  }
  /// The longer of the measured and the predicted step: the timeline's full range.
  [[nodiscard]] TimeNs rangeNs() const;
  [[nodiscard]] const TimelineNotes& notes() const { return m_notes; }

  [[nodiscard]] const analysis::DeviceStep* deviceStep(std::int32_t device) const;
  /// Categories in the trace and idle causes of this step: the legend's entries.
  [[nodiscard]] trace::CategoryMask categories() const { return m_categories; }
  [[nodiscard]] const std::vector<analysis::Cause>& idleCauses() const { return m_idleCauses; }
  /// One more than the highest stage and micro-batch in the trace.
  [[nodiscard]] std::int32_t stageCount() const { return m_stageCount; }
  [[nodiscard]] std::int32_t microBatchCount() const { return m_microBatchCount; }
  /// Extremes of `trace().counters()[series]`.
  [[nodiscard]] const trace::CounterIndex& counter(std::size_t series) const {
    return m_counters[series];
  }
  /// Finds pieces of a device by time relative to startNs(). @pre `step` is one of step().devices
  [[nodiscard]] PieceCursor piecesOf(const analysis::DeviceStep& step) const;
  /// Busy time of a device in the step before a time relative to the step's start.
  [[nodiscard]] double busyBeforeNs(std::int32_t device, double untilNs) const;
  /// Busy share (0 … 1) of a device between two times relative to the step's start.
  [[nodiscard]] double busyShare(std::int32_t device, double fromNs, double toNs) const;
  /// The gap of idle pieces around `piece`; None if the piece is busy.
  [[nodiscard]] TimelineTarget gapAround(std::int32_t device, std::size_t piece) const;
  /// All gaps of all devices, by start.
  [[nodiscard]] const std::vector<TimelineTarget>& gaps() const { return m_gaps; }
  /// [start, end) of a target relative to the step's start (the predicted one's for Predicted).
  [[nodiscard]] std::pair<TimeNs, TimeNs> spanOf(const TimelineTarget& target) const;
  /// [start, end) of the step itself, relative to startNs().
  [[nodiscard]] std::pair<TimeNs, TimeNs> stepSpan() const;
  /// Device of an event's track, -1 for none.
  [[nodiscard]] std::int32_t deviceOfEvent(std::size_t event) const;
  /// The predicted counterpart of an action (same device, kind, stage, micro-batch), and back.
  [[nodiscard]] std::optional<std::size_t> predictedEvent(std::size_t event) const;
  [[nodiscard]] std::optional<std::size_t> measuredEvent(std::size_t predicted) const;
  /// The shift of the predicted step that aligns the first action whose start differs by more than
  /// half a percent of the step; 0 for none.
  [[nodiscard]] TimeNs firstDifferenceNs() const { return m_firstDifferenceNs; }

 private:
  using ActionKey = std::tuple<std::string, trace::Category, std::int32_t, std::int32_t>;
  void breakDownStep();
  [[nodiscard]] bool momentAtEnd() const;
  void findGaps();
  void indexPredicted();
  void findFirstDifference();
  void noteWhatOccurs();
  [[nodiscard]] static std::optional<ActionKey> keyOf(const trace::Trace& trace, std::size_t event);

  trace::LaneIndexPtr m_lanes, m_predictedLanes;
  std::size_t m_stepIndex = 0;
  TimeNs m_startNs = 0, m_endNs = 0;
  bool m_whole = false;
  TimelineNotes m_notes;
  analysis::StepBreakdown m_step, m_predictedStep;
  std::vector<trace::CounterIndex> m_counters;
  trace::CategoryMask m_categories = 0;
  std::int32_t m_stageCount = 0, m_microBatchCount = 0;
  std::vector<analysis::Cause> m_idleCauses;
  std::vector<PieceIndex> m_pieces;  ///< of each device of the step
  std::vector<TimelineTarget> m_gaps;
  std::map<ActionKey, std::size_t> m_predictedEvents;  ///< → event of the predicted trace
  std::map<ActionKey, std::size_t> m_stepEvents;       ///< predicted ones → event of this step
  TimeNs m_firstDifferenceNs = 0;
};
using TimelineDataPtr = std::shared_ptr<const TimelineData>;

/// A part of a gap and its cause. Percentages of a gap's parts add up.
struct GapPart {
  analysis::Cause cause = analysis::Cause::Unattributed;
  QString name;   ///< "Starved"
  QString time;   ///< "2.71 ms"
  QString share;  ///< "30 %"
  QString why;    ///< "until B4 on cuda:1 ended at 192.5 ms"
};

/// Title and facts of a target, for the selection panel and tooltips.
struct TargetText {
  QString title;     ///< "F3 on cpu:0" or "gap on cpu:1, 189.8 – 198.8 ms, before B4"
  QString sentence;  ///< gaps: the idle sentence
  std::vector<std::pair<QString, QString>> facts{};  ///< events: name, value
  std::vector<GapPart> parts{};                      ///< gaps: by cause, in order
  TimelineTarget culprit{};                          ///< gaps: the longest cause
  QString culpritName{};                             ///< "B4 on cuda:1"
};
[[nodiscard]] TargetText describeTarget(const TimelineData& data, const TimelineTarget& target);
/// Texts of a device's header; shares of the step, which add up.
struct HeaderText {
  QString busy;  ///< "busy 79.3 %", "" without compute
  QString idle;  ///< "idle 20.7 % (predicted 19.1): 14.1 starved by cpu:0, 5.1 transfer"
};
[[nodiscard]] HeaderText headerText(const TimelineData& data, std::int32_t device);
/// Both in one line.
[[nodiscard]] QString headerSentence(const TimelineData& data, std::int32_t device);
/// "warm-up", "starved", …
[[nodiscard]] QString causeText(analysis::Cause cause);
/// "warm-up", "starved by cuda:0", …
[[nodiscard]] QString idlePartText(const analysis::IdlePart& part);
/// `analysis::idleSentence` in the language of the window.
[[nodiscard]] QString idleText(const trace::Trace& trace, const analysis::StepBreakdown& step,
                               std::size_t device);
/// The legend's entries for a set of categories, each once, in their order.
[[nodiscard]] std::vector<trace::Category> legendEntries(trace::CategoryMask categories);
/// "forward", "backward", "copy out (activation)", …
[[nodiscard]] QString categoryText(trace::Category category);

}  // namespace stagelane::ui
