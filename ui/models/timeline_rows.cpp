#include "ui/models/timeline_rows.h"

#include <algorithm>
#include <array>

#include "ui/models/formatting.h"

namespace stagelane::ui {
namespace {

constexpr double kHeader = 24.0, kUtilisation = 20.0, kGhost = 12.0, kActions = 28.0;
constexpr double kCopies = 14.0, kOperators = 14.0, kMemory = 40.0, kGap = 4.0;

/// Appends rows below one another.
class Stack {
 public:
  void add(TimelineRow row, double height, double gapAfter = kGap) {
    row.y = m_layout.height;
    row.height = height;
    m_layout.height += height + gapAfter;
    m_layout.rows.push_back(std::move(row));
  }
  [[nodiscard]] TimelineLayout take() { return std::move(m_layout); }

 private:
  TimelineLayout m_layout;
};

int laneCount(const trace::Trace& trace, std::size_t track) {
  const std::vector<int> lanes = stackLanes(trace, track);
  return lanes.empty() ? 1 : *std::max_element(lanes.begin(), lanes.end()) + 1;
}

QString copyLabel(const trace::Track& track) {
  const QString name = qstring(track.name);
  return name.isEmpty() ? QStringLiteral("copies") : name;
}

void addTrack(Stack& stack, const trace::Trace& trace, std::size_t index) {
  const trace::Track& track = trace.tracks()[index];
  TimelineRow row{.device = track.device, .track = static_cast<std::int32_t>(index)};
  double height = kOperators;
  switch (track.kind) {
    case trace::TrackKind::Compute:
      row.kind = RowKind::Actions;
      row.label = QStringLiteral("actions");
      height = kActions;
      break;
    case trace::TrackKind::Copy:
      row.kind = RowKind::Copies;
      row.label = copyLabel(track);
      height = kCopies;
      break;
    case trace::TrackKind::Counter:
      row.kind = RowKind::Memory;
      row.label = qstring(track.name);
      height = kMemory;
      break;
    default:
      row.kind = RowKind::Operators;
      row.label = qstring(track.name);
      break;
  }
  const int lanes = row.kind == RowKind::Memory ? 1 : laneCount(trace, index);
  for (int lane = 0; lane < lanes; ++lane) {
    row.lane = lane;
    if (lane > 0) row.label.clear();
    stack.add(row, height, lane + 1 == lanes ? kGap : 1.0);
  }
}

bool hasEvents(const trace::Trace& trace, std::size_t track) {
  const auto range = trace.rangeOfTrack(track);
  return range.first < range.second;
}

bool hasCounter(const trace::Trace& trace, std::size_t track) {
  return std::any_of(trace.counters().begin(), trace.counters().end(),
                     [&](const auto& series) { return series.track == track; });
}

/// Tracks of a device in the order in which they are shown.
std::vector<std::size_t> tracksOf(const trace::Trace& trace, std::int32_t device) {
  static constexpr std::array kOrder{trace::TrackKind::Compute,   trace::TrackKind::Copy,
                                     trace::TrackKind::Operators, trace::TrackKind::Kernels,
                                     trace::TrackKind::Other,     trace::TrackKind::Counter};
  std::vector<std::size_t> answer;
  for (const trace::TrackKind kind : kOrder) {
    for (std::size_t i = 0; i < trace.tracks().size(); ++i) {
      const trace::Track& track = trace.tracks()[i];
      if (track.device != device || track.kind != kind) continue;
      if (hasEvents(trace, i) || hasCounter(trace, i)) answer.push_back(i);
    }
  }
  return answer;
}

}  // namespace

int TimelineLayout::rowAt(double y) const {
  const auto after = std::upper_bound(rows.begin(), rows.end(), y,
                                      [](double value, const auto& row) { return value < row.y; });
  if (after == rows.begin()) return -1;
  const auto row = std::prev(after);
  return y < row->bottom() ? static_cast<int>(row - rows.begin()) : -1;
}

TimelineLayout layoutRows(const trace::Trace& trace, const trace::Trace* predicted,
                          const RowOptions& options) {
  Stack stack;
  for (std::size_t index = 0; index < trace.devices().size(); ++index) {
    const auto device = static_cast<std::int32_t>(index);
    stack.add({.kind = RowKind::Header, .device = device, .label = qstring(trace.devices()[index])},
              kHeader);
    if (options.collapsed.count(device) != 0) continue;
    stack.add(
        {.kind = RowKind::Utilisation, .device = device, .label = QStringLiteral("utilisation")},
        kUtilisation);
    const bool ghost = predicted != nullptr && options.predicted &&
                       deviceNamed(*predicted, trace.devices()[index]) >= 0;
    if (ghost) {
      stack.add({.kind = RowKind::Ghost, .device = device, .label = QStringLiteral("predicted")},
                kGhost, 2.0);
    }
    for (const std::size_t track : tracksOf(trace, device)) addTrack(stack, trace, track);
  }
  return stack.take();
}

std::vector<int> stackLanes(const trace::Trace& trace, std::size_t track) {
  const auto [first, last] = trace.rangeOfTrack(track);
  std::vector<int> lanes(last - first, 0);
  std::vector<TimeNs> endOfLane;
  for (std::size_t i = first; i < last; ++i) {
    const TimeNs start = trace.startsNs()[i];
    std::size_t lane = 0;
    while (lane < endOfLane.size() && endOfLane[lane] > start) ++lane;
    if (lane == endOfLane.size()) endOfLane.push_back(0);
    endOfLane[lane] = start + trace.durationsNs()[i];
    lanes[i - first] = static_cast<int>(lane);
  }
  return lanes;
}

std::int32_t deviceNamed(const trace::Trace& trace, const std::string& name) {
  const auto& devices = trace.devices();
  const auto found = std::find(devices.begin(), devices.end(), name);
  return found == devices.end() ? -1 : static_cast<std::int32_t>(found - devices.begin());
}

}  // namespace stagelane::ui
