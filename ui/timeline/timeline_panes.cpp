#include "ui/timeline/timeline_panes.h"

#include <algorithm>
#include <utility>

#include "engine/base/find.h"

namespace stagelane::ui {
namespace {

constexpr double kPinnedGap = 4.0;

bool haveSameTracks(const trace::Trace& one, const trace::Trace& other) {
  return one.devices() == other.devices() && one.tracks().size() == other.tracks().size();
}

}  // namespace

const TimelineRow* TimelinePane::rowAt(double viewportY) const {
  const int row = layout->rowAt(viewportY - y + top);
  return row < 0 ? nullptr : &layout->rows[static_cast<std::size_t>(row)];
}

void TimelinePanes::setData(TimelineDataPtr data) {
  const bool same = m_data && data && haveSameTracks(m_data->trace(), data->trace());
  if (!same) m_options = {.predicted = m_options.predicted};
  m_data = std::move(data);
  layOut();
}

void TimelinePanes::setPredicted(bool predicted) {
  m_options.predicted = predicted;
  layOut();
}

void TimelinePanes::layOut() {
  m_all = m_data ? layoutRows(*m_data, m_options) : TimelineLayout{};
  m_pinned = m_data ? layoutPinned(*m_data, m_options) : TimelineLayout{};
}

TimelinePane TimelinePanes::pinned() const {
  const double height = m_pinned.rows.empty() ? 0.0 : m_pinned.height + kPinnedGap;
  return {&m_pinned, 0.0, kTimelineRulerHeight, height, true};
}

TimelinePane TimelinePanes::scrolled(double scroll, double viewportHeight) const {
  const double y = kTimelineRulerHeight + pinned().height;
  return {&m_all, scroll, y, std::max(0.0, viewportHeight - y), false};
}

void TimelinePanes::toggleFold(const TimelineRow& row) {
  auto& folded = row.kind == RowKind::Header ? m_options.collapsed : m_options.toggled;
  const std::int32_t key = row.kind == RowKind::Header ? row.device : row.track;
  if (folded.erase(key) == 0) folded.insert(key);
  layOut();
}

void TimelinePanes::togglePin(std::int32_t track) {
  auto& pinned = m_options.pinned;
  const auto found = std::find(pinned.begin(), pinned.end(), track);
  if (found == pinned.end()) {
    pinned.push_back(track);
  } else {
    pinned.erase(found);
  }
  layOut();
}

const TimelineRow* TimelinePanes::openRowOf(const TimelineTarget& target) {
  if (m_options.collapsed.erase(target.device) != 0) layOut();
  const bool event = target.kind == TimelineTarget::Kind::Event;
  const std::int32_t track = event ? m_data->trace().event(target.event).track : -1;
  const int lane = event ? static_cast<int>(m_data->lanes().laneOf(target.event)) : 0;
  return findIf(m_all.rows, [&](const TimelineRow& row) {
    return event ? row.track == track && (row.folded || row.lane == lane)
                 : row.device == target.device && showsIdle(row.kind);
  });
}

const TimelineRow* TimelinePanes::foldableRowOf(const TimelineTarget& target) const {
  if (!m_data || target.kind == TimelineTarget::Kind::None) return nullptr;
  const bool event = target.kind == TimelineTarget::Kind::Event;
  const std::int32_t track = event ? m_data->trace().event(target.event).track : -1;
  const TimelineRow* found = nullptr;
  for (const TimelineRow& row : m_all.rows) {
    if (!row.foldable) continue;
    if (track >= 0 && row.track == track) return &row;
    if (row.kind == RowKind::Header && row.device == target.device) found = &row;
  }
  return found;
}

}  // namespace stagelane::ui
