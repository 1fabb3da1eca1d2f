#pragma once

/// One step of a trace ready for drawing: its idle pieces with prefix sums, the lanes of
/// overlapping events, and the predicted step beside it. Immutable; built once per step, off the
/// paint path.

#include <QString>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "profiler/analysis/idle.h"
#include "profiler/trace/trace.h"

namespace stagelane::ui {

/// What is selected or under the mouse: an event, or a gap (an idle piece run) of a device.
struct TimelineTarget {
  enum class Kind { None, Event, Gap } kind = Kind::None;
  std::size_t event = 0;  ///< Event: index in the trace
  std::int32_t device = -1;
  std::size_t firstPiece = 0;  ///< Gap: idle pieces [firstPiece, lastPiece] of the device, touching
  std::size_t lastPiece = 0;
  friend bool operator==(const TimelineTarget&, const TimelineTarget&) = default;
};

class TimelineData {
 public:
  /// @pre `stepIndex` < stepsOf(trace).size()
  TimelineData(trace::TracePtr trace, std::size_t stepIndex, trace::TracePtr predicted);

  [[nodiscard]] const trace::Trace& trace() const { return *m_trace; }
  [[nodiscard]] trace::TracePtr tracePtr() const { return m_trace; }
  [[nodiscard]] const analysis::StepBreakdown& step() const { return m_step; }
  [[nodiscard]] std::size_t stepIndex() const { return m_stepIndex; }
  [[nodiscard]] TimeNs startNs() const { return m_step.step.startNs; }
  [[nodiscard]] TimeNs wallNs() const { return m_step.wallNs(); }
  [[nodiscard]] const trace::Trace* predicted() const { return m_predicted.get(); }
  [[nodiscard]] const analysis::StepBreakdown* predictedStep() const {
    return m_predicted ? &m_predictedStep : nullptr;
  }
  /// The longer of the measured and the predicted step: the timeline's full range.
  [[nodiscard]] TimeNs rangeNs() const;

  [[nodiscard]] const analysis::DeviceStep* deviceStep(std::int32_t device) const;
  [[nodiscard]] int laneOf(std::size_t track, std::size_t event) const;
  /// Events of each lane of a track, by start; within a lane none overlaps another, so their ends
  /// are sorted too.
  using Lanes = std::vector<std::vector<std::size_t>>;
  [[nodiscard]] const Lanes& lanesOf(std::size_t track) const { return m_laneEvents[track]; }
  /// The same of the predicted trace. @pre predicted() is not null
  [[nodiscard]] const Lanes& predictedLanesOf(std::size_t track) const {
    return m_predictedLaneEvents[track];
  }
  /// Busy share (0 … 1) of a device between two times relative to the step's start.
  [[nodiscard]] double busyShare(std::int32_t device, double fromNs, double toNs) const;
  /// The gap of idle pieces around `piece`; None when that piece is busy.
  [[nodiscard]] TimelineTarget gapAround(std::int32_t device, std::size_t piece) const;
  /// All gaps of all devices, by start.
  [[nodiscard]] const std::vector<TimelineTarget>& gaps() const { return m_gaps; }
  /// [start, end) of a target relative to the step's start.
  [[nodiscard]] std::pair<TimeNs, TimeNs> spanOf(const TimelineTarget& target) const;
  /// Device that an event's track belongs to, -1 for none.
  [[nodiscard]] std::int32_t deviceOfEvent(std::size_t event) const;
  /// The predicted counterpart of an action (same device, kind, stage, micro-batch).
  [[nodiscard]] std::optional<std::size_t> predictedEvent(std::size_t event) const;

 private:
  void buildBusySums();
  void indexPredicted();
  void findGaps();

  trace::TracePtr m_trace, m_predicted;
  std::size_t m_stepIndex = 0;
  analysis::StepBreakdown m_step, m_predictedStep;
  std::vector<std::vector<int>> m_lanes;                   ///< [track][event - first]
  std::vector<Lanes> m_laneEvents, m_predictedLaneEvents;  ///< [track][lane]
  std::vector<std::vector<TimeNs>> m_busySums;  ///< [device step][piece]: busy before the piece
  std::vector<TimelineTarget> m_gaps;
  std::map<std::tuple<std::string, trace::Category, std::int32_t, std::int32_t>, std::size_t>
      m_predictedEvents;  ///< (device, category, stage, micro-batch) → event of `predicted`
};
using TimelineDataPtr = std::shared_ptr<const TimelineData>;

/// Title and facts of a target, for the selection panel and tooltips.
struct TargetText {
  QString title;                                   ///< "F3 on cpu:0" or "gap on cpu:1, before B4"
  QString sentence;                                ///< gaps: the idle sentence
  std::vector<std::pair<QString, QString>> facts;  ///< name, value
};
[[nodiscard]] TargetText describeTarget(const TimelineData& data, const TimelineTarget& target);
/// "cpu:1 idle 20.7 % (predicted 19.1): 14.1 starved by cpu:0, …" for a device's header.
[[nodiscard]] QString headerSentence(const TimelineData& data, std::int32_t device);
/// "warm-up", "starved", …
[[nodiscard]] QString causeText(analysis::Cause cause);
/// The category that stands for this one in a legend: what has one colour has one entry.
[[nodiscard]] trace::Category legendCategory(trace::Category category);
/// "forward", "backward", "copy out (activation)", …
[[nodiscard]] QString categoryText(trace::Category category);

}  // namespace stagelane::ui
