#include "ui/models/timeline_data.h"

#include <algorithm>

#include "ui/models/timeline_rows.h"

namespace stagelane::ui {
namespace {

bool idle(const analysis::Piece& piece) { return !analysis::isBusy(piece.cause); }

TimelineData::Lanes lanesFrom(const std::vector<int>& laneOfEvent, std::size_t first) {
  TimelineData::Lanes lanes(1);
  for (std::size_t i = 0; i < laneOfEvent.size(); ++i) {
    const auto lane = static_cast<std::size_t>(laneOfEvent[i]);
    if (lane >= lanes.size()) lanes.resize(lane + 1);
    lanes[lane].push_back(first + i);
  }
  return lanes;
}

}  // namespace

TimelineData::TimelineData(trace::TracePtr trace, std::size_t stepIndex, trace::TracePtr predicted)
    : m_trace(std::move(trace)), m_stepIndex(stepIndex) {
  m_step = analysis::breakDown(*m_trace, analysis::stepsOf(*m_trace).at(stepIndex));
  if (predicted) {
    const auto steps = analysis::stepsOf(*predicted);
    if (!steps.empty()) {
      m_predicted = std::move(predicted);
      m_predictedStep = analysis::breakDown(*m_predicted, steps.front());
    }
  }
  m_lanes.reserve(m_trace->tracks().size());
  for (std::size_t i = 0; i < m_trace->tracks().size(); ++i) {
    m_lanes.push_back(stackLanes(*m_trace, i));
    m_laneEvents.push_back(lanesFrom(m_lanes.back(), m_trace->rangeOfTrack(i).first));
  }
  for (std::size_t i = 0; m_predicted && i < m_predicted->tracks().size(); ++i) {
    m_predictedLaneEvents.push_back(
        lanesFrom(stackLanes(*m_predicted, i), m_predicted->rangeOfTrack(i).first));
  }
  buildBusySums();
  findGaps();
  indexPredicted();
}

void TimelineData::buildBusySums() {
  for (const analysis::DeviceStep& device : m_step.devices) {
    std::vector<TimeNs> sums{0};
    for (const analysis::Piece& piece : device.pieces) {
      sums.push_back(sums.back() + (idle(piece) ? 0 : piece.endNs - piece.startNs));
    }
    m_busySums.push_back(std::move(sums));
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
  const TimeNs predicted = m_predicted ? m_predictedStep.wallNs() : 0;
  return std::max<TimeNs>({1, wallNs(), predicted});
}

const analysis::DeviceStep* TimelineData::deviceStep(std::int32_t device) const {
  const auto found = std::find_if(m_step.devices.begin(), m_step.devices.end(),
                                  [&](const auto& entry) { return entry.device == device; });
  return found == m_step.devices.end() ? nullptr : &*found;
}

int TimelineData::laneOf(std::size_t track, std::size_t event) const {
  return m_lanes[track][event - m_trace->rangeOfTrack(track).first];
}

double TimelineData::busyShare(std::int32_t device, double fromNs, double toNs) const {
  const analysis::DeviceStep* step = deviceStep(device);
  if (step == nullptr || step->pieces.empty() || toNs <= fromNs) return 0.0;
  const auto& sums = m_busySums[static_cast<std::size_t>(step - m_step.devices.data())];
  const auto busyBefore = [&](double relative) {
    const double time = relative + static_cast<double>(startNs());
    const auto after = std::upper_bound(
        step->pieces.begin(), step->pieces.end(), time,
        [](double value, const auto& piece) { return value < static_cast<double>(piece.startNs); });
    if (after == step->pieces.begin()) return 0.0;
    const auto piece = std::prev(after);
    const auto before =
        static_cast<double>(sums[static_cast<std::size_t>(piece - step->pieces.begin())]);
    if (idle(*piece)) return before;
    const double end = std::min(time, static_cast<double>(piece->endNs));
    return before + end - static_cast<double>(piece->startNs);
  };
  return (busyBefore(toNs) - busyBefore(fromNs)) / (toNs - fromNs);
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
      const TimeNs start = m_trace->startsNs()[target.event] - startNs();
      return {start, start + m_trace->durationsNs()[target.event]};
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

std::int32_t TimelineData::deviceOfEvent(std::size_t event) const {
  return m_trace->tracks()[m_trace->event(event).track].device;
}

void TimelineData::indexPredicted() {
  if (!m_predicted) return;
  for (std::size_t i = 0; i < m_predicted->size(); ++i) {
    const trace::EventView event = m_predicted->event(i);
    const std::int32_t device = m_predicted->tracks()[event.track].device;
    if (device < 0) continue;
    m_predictedEvents.try_emplace({m_predicted->devices()[static_cast<std::size_t>(device)],
                                   event.category, event.stage.value, event.microBatch.value},
                                  i);
  }
}

std::optional<std::size_t> TimelineData::predictedEvent(std::size_t event) const {
  const std::int32_t device = deviceOfEvent(event);
  if (device < 0) return std::nullopt;
  const trace::EventView wanted = m_trace->event(event);
  const auto found =
      m_predictedEvents.find({m_trace->devices()[static_cast<std::size_t>(device)], wanted.category,
                              wanted.stage.value, wanted.microBatch.value});
  if (found == m_predictedEvents.end()) return std::nullopt;
  return found->second;
}

}  // namespace stagelane::ui
