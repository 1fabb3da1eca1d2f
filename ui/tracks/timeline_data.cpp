#include "ui/tracks/timeline_data.h"

#include <algorithm>
#include <cstdlib>

#include "engine/trace/lost_records.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

bool idle(const analysis::Piece& piece) { return !analysis::isBusy(piece.cause); }

/// From the first to the last moment of a trace.
std::pair<TimeNs, TimeNs> extentOf(const trace::Trace& trace) {
  TimeNs first = std::numeric_limits<TimeNs>::max();
  TimeNs last = std::numeric_limits<TimeNs>::min();
  const auto take = [&](TimeNs from, TimeNs to) {
    first = std::min(first, from);
    last = std::max(last, to);
  };
  for (std::size_t i = 0; i < trace.size(); ++i) {
    take(trace.startsNs()[i], trace.startsNs()[i] + trace.durationsNs()[i]);
  }
  for (const trace::CounterSeries& series : trace.counters()) {
    if (!series.timesNs.empty()) take(series.timesNs.front(), series.timesNs.back());
  }
  return first > last ? std::pair<TimeNs, TimeNs>{0, 0} : std::pair{first, last};
}

/// Differences in start time above this fraction of the step count.
constexpr TimeNs kDifferenceShare = 200;

}  // namespace

TimelineData::TimelineData(trace::TracePtr trace, std::size_t stepIndex, trace::TracePtr predicted)
    : TimelineData(std::make_shared<const trace::LaneIndex>(std::move(trace)), stepIndex,
                   std::move(predicted)) {}

TimelineData::TimelineData(trace::LaneIndexPtr lanes, std::size_t stepIndex,
                           trace::TracePtr predicted, TimelineNotes notes)
    : m_lanes(std::move(lanes)), m_stepIndex(stepIndex), m_notes(std::move(notes)) {
  m_notes.lost = std::max(m_notes.lost, trace().droppedEvents());
  if (m_notes.lostReason.isEmpty()) m_notes.lostReason = qstring(trace::lostReason(trace()));
  breakDownStep();
  if (predicted) {
    const auto steps = analysis::stepsOf(*predicted);
    if (!steps.empty()) {
      m_predictedStep = analysis::breakDown(*predicted, steps.front());
      m_predictedLanes = std::make_shared<const trace::LaneIndex>(std::move(predicted));
    }
  }
  for (const trace::CounterSeries& series : trace().counters()) m_counters.emplace_back(series);
  noteWhatOccurs();
  for (const analysis::DeviceStep& device : m_step.devices) m_pieces.emplace_back(device.pieces);
  findGaps();
  indexPredicted();
  findFirstDifference();
}

void TimelineData::breakDownStep() {
  const std::vector<trace::Step> steps = analysis::stepsOf(trace());
  m_whole = m_stepIndex >= steps.size() || trace().steps().empty();
  const auto [first, last] = m_whole ? extentOf(trace()) : std::pair<TimeNs, TimeNs>{};
  trace::Step step;
  step.startNs = first;
  step.endNs = last;
  if (m_stepIndex < steps.size()) step = steps[m_stepIndex];
  m_step.step = step;
  if (!steps.empty()) {
    m_step = analysis::breakDown(trace(), step);
    auto& devices = m_step.devices;
    devices.erase(
        std::remove_if(devices.begin(), devices.end(), [](const auto& each) { return each.host; }),
        devices.end());
  }
  m_startNs = m_whole ? std::min(first, step.startNs) : step.startNs;
  m_endNs = m_whole ? std::max(last, step.endNs) : step.endNs;
  // Without a following step, zero-length events at the very end belong to this one.
  const bool followed = !m_whole && std::any_of(steps.begin(), steps.end(), [&](const auto& each) {
    return each.startNs == m_endNs;
  });
  if (!followed && momentAtEnd()) ++m_endNs;
}

/// Whether a zero-length event is at the end of the shown range.
bool TimelineData::momentAtEnd() const {
  for (std::size_t track = 0; track < trace().tracks().size(); ++track) {
    for (std::size_t lane = 0; lane < m_lanes->laneCount(track); ++lane) {
      trace::LaneCursor cursor(*m_lanes, track, lane);
      const std::size_t at = cursor.firstReaching(m_endNs);
      if (at < cursor.count() && cursor.startAt(at) == m_endNs && cursor.endAt(at) == m_endNs) {
        return true;
      }
    }
  }
  return false;
}

void TimelineData::noteWhatOccurs() {
  for (std::size_t track = 0; track < trace().tracks().size(); ++track) {
    m_categories = static_cast<trace::CategoryMask>(m_categories | m_lanes->categories(track));
  }
  for (std::size_t i = 0; i < trace().size(); ++i) {
    m_stageCount = std::max<std::int32_t>(m_stageCount, trace().stages()[i] + 1);
    m_microBatchCount = std::max<std::int32_t>(m_microBatchCount, trace().microBatches()[i] + 1);
  }
  for (std::size_t index = 0; index < analysis::kCauseCount; ++index) {
    const auto cause = static_cast<analysis::Cause>(index);
    const bool occurs =
        std::any_of(m_step.devices.begin(), m_step.devices.end(),
                    [&](const analysis::DeviceStep& each) { return each.causeNs[index] > 0; });
    if (occurs && !analysis::isBusy(cause)) m_idleCauses.push_back(cause);
  }
}

void TimelineData::findGaps() {
  for (const analysis::DeviceStep& device : m_step.devices) {
    for (std::size_t i = 0; i < device.pieces.size(); ++i) {
      const TimelineTarget gap = gapAround(device.device, i);
      if (gap.kind != TimelineTarget::Kind::Gap) continue;
      m_gaps.push_back(gap);
      i = gap.lastPiece;
    }
  }
  std::stable_sort(m_gaps.begin(), m_gaps.end(), [this](const auto& a, const auto& b) {
    return spanOf(a).first < spanOf(b).first;
  });
}

TimeNs TimelineData::rangeNs() const {
  const TimeNs predicted = m_predictedLanes ? m_predictedStep.wallNs() : 0;
  return std::max<TimeNs>({1, wallNs(), predicted});
}

const analysis::DeviceStep* TimelineData::deviceStep(std::int32_t device) const {
  const auto found = std::lower_bound(
      m_step.devices.begin(), m_step.devices.end(), device,
      [](const analysis::DeviceStep& entry, std::int32_t value) { return entry.device < value; });
  return found == m_step.devices.end() || found->device != device ? nullptr : &*found;
}

PieceCursor TimelineData::piecesOf(const analysis::DeviceStep& step) const {
  return {m_pieces[static_cast<std::size_t>(&step - m_step.devices.data())], m_startNs};
}

double TimelineData::busyBeforeNs(std::int32_t device, double untilNs) const {
  const analysis::DeviceStep* step = deviceStep(device);
  return step == nullptr ? 0.0 : piecesOf(*step).busyBeforeNs(untilNs);
}

double TimelineData::busyShare(std::int32_t device, double fromNs, double toNs) const {
  if (toNs <= fromNs) return 0.0;
  return (busyBeforeNs(device, toNs) - busyBeforeNs(device, fromNs)) / (toNs - fromNs);
}

TimelineTarget TimelineData::gapAround(std::int32_t device, std::size_t piece) const {
  const analysis::DeviceStep* step = deviceStep(device);
  if (step == nullptr || piece >= step->pieces.size() || !idle(step->pieces[piece])) return {};
  TimelineTarget gap{
      .kind = TimelineTarget::Kind::Gap, .device = device, .firstPiece = piece, .lastPiece = piece};
  while (gap.firstPiece > 0 && idle(step->pieces[gap.firstPiece - 1])) --gap.firstPiece;
  while (gap.lastPiece + 1 < step->pieces.size() && idle(step->pieces[gap.lastPiece + 1])) {
    ++gap.lastPiece;
  }
  return gap;
}

std::pair<TimeNs, TimeNs> TimelineData::spanOf(const TimelineTarget& target) const {
  switch (target.kind) {
    case TimelineTarget::Kind::Event: {
      const TimeNs start = trace().startsNs()[target.event] - startNs();
      return {start, start + trace().durationsNs()[target.event]};
    }
    case TimelineTarget::Kind::Predicted: {
      const TimeNs start = predicted()->startsNs()[target.event] - m_predictedStep.step.startNs;
      return {start, start + predicted()->durationsNs()[target.event]};
    }
    case TimelineTarget::Kind::Gap: {
      const auto& pieces = deviceStep(target.device)->pieces;
      return {pieces[target.firstPiece].startNs - startNs(),
              pieces[target.lastPiece].endNs - startNs()};
    }
    case TimelineTarget::Kind::None: break;
  }
  return {0, 0};
}

std::pair<TimeNs, TimeNs> TimelineData::stepSpan() const {
  return {m_step.step.startNs - m_startNs, m_step.step.endNs - m_startNs};
}

std::int32_t TimelineData::deviceOfEvent(std::size_t event) const {
  return trace().tracks()[trace().event(event).track].device;
}

std::optional<TimelineData::ActionKey> TimelineData::keyOf(const trace::Trace& trace,
                                                           std::size_t event) {
  const trace::EventView view = trace.event(event);
  const std::int32_t device = trace.tracks()[view.track].device;
  if (device < 0 || !trace::actionKindOf(view.category)) return std::nullopt;
  return ActionKey{trace.devices()[static_cast<std::size_t>(device)], view.category,
                   view.stage.value, view.microBatch.value};
}

void TimelineData::indexPredicted() {
  if (!m_predictedLanes) return;
  for (std::size_t i = 0; i < predicted()->size(); ++i) {
    if (const auto key = keyOf(*predicted(), i)) m_predictedEvents.try_emplace(*key, i);
  }
  const TimeNs end = startNs() + wallNs();
  for (std::size_t track = 0; track < trace().tracks().size(); ++track) {
    const trace::TrackKind kind = trace().tracks()[track].kind;
    if (kind != trace::TrackKind::Compute && kind != trace::TrackKind::Copy) continue;
    const auto [first, last] = trace().rangeOfTrack(track);
    for (std::size_t i = first; i < last; ++i) {
      if (trace().startsNs()[i] < startNs() || trace().startsNs()[i] > end) continue;
      const auto key = keyOf(trace(), i);
      if (key && m_predictedEvents.count(*key) != 0) m_stepEvents.try_emplace(*key, i);
    }
  }
}

void TimelineData::findFirstDifference() {
  std::optional<TimeNs> firstNs;
  for (const auto& [key, event] : m_stepEvents) {
    const TimeNs measured = trace().startsNs()[event] - startNs();
    const std::size_t twin = m_predictedEvents.at(key);
    const TimeNs expected = predicted()->startsNs()[twin] - m_predictedStep.step.startNs;
    if (std::abs(measured - expected) <= wallNs() / kDifferenceShare) continue;
    if (firstNs && measured >= *firstNs) continue;
    firstNs = measured;
    m_firstDifferenceNs = measured - expected;
  }
}

std::optional<std::size_t> TimelineData::predictedEvent(std::size_t event) const {
  const auto key = keyOf(trace(), event);
  const auto found = key ? m_predictedEvents.find(*key) : m_predictedEvents.end();
  if (found == m_predictedEvents.end()) return std::nullopt;
  return found->second;
}

std::optional<std::size_t> TimelineData::measuredEvent(std::size_t predictedEvent) const {
  const auto key = keyOf(*predicted(), predictedEvent);
  const auto found = key ? m_stepEvents.find(*key) : m_stepEvents.end();
  if (found == m_stepEvents.end()) return std::nullopt;
  return found->second;
}

}  // namespace stagelane::ui
