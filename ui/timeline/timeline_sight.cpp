#include "ui/timeline/timeline_sight.h"

#include <algorithm>
#include <utility>

namespace stagelane::ui {
namespace {

constexpr double kSnapPx = 8.0;

}  // namespace

void TimelineSight::setData(TimelineDataPtr timeline) {
  const bool sameRange = data && timeline && data->rangeNs() == timeline->rangeNs();
  data = std::move(timeline);
  hover = {};
  selection = {};
  flows.clear();
  found = nullptr;
  panes.setData(data);
  if (data && !sameRange) zoom.setRange(data->rangeNs());
}

void TimelineSight::select(const TimelineTarget& target) {
  selection = target;
  flows = data ? flowsOf(*data, target) : EventFlows{};
}

TimeNs TimelineSight::predictedShiftNs() const {
  return data && alignAtFirstDifference ? data->firstDifferenceNs() : 0;
}

std::vector<RulerEnd> TimelineSight::ends() const {
  return rulerEnds(*data, zoom.axis(), predictedShiftNs(), kTimelineRulerHeight);
}

TimelinePane TimelineSight::paneAt(double y, const Viewport& viewport) const {
  const TimelinePane pinned = panes.pinned();
  return y < pinned.y + pinned.height ? pinned : panes.scrolled(viewport.scroll, viewport.height);
}

SceneInput TimelineSight::input(const TimelinePane& pane, const Viewport& viewport) const {
  return {.data = *data,
          .layout = *pane.layout,
          .axis = zoom.axis(),
          .top = pane.top,
          .height = pane.height,
          .hover = hover,
          .selection = selection,
          .filter = filter,
          .colorBy = colorBy,
          .predictedShiftNs = predictedShiftNs(),
          .markedCause = markedCause,
          .found = found ? &found->events : nullptr,
          .flows = pane.pinned ? nullptr : &flows,
          .resolution = viewport.resolution};
}

TimelineTarget TimelineSight::targetAt(const QPointF& at, const Viewport& viewport) const {
  if (!data || at.x() < kTimelineTreeWidth || at.y() < kTimelineRulerHeight) return {};
  const TimelinePane pane = paneAt(at.y(), viewport);
  return ui::targetAt(input(pane, viewport), at.x() - kTimelineTreeWidth, at.y() - pane.y);
}

const TimelineRow* TimelineSight::rowAt(const QPointF& at, const Viewport& viewport) const {
  return at.y() < kTimelineRulerHeight ? nullptr : paneAt(at.y(), viewport).rowAt(at.y());
}

double TimelineSight::timeAt(const QPointF& at) const {
  const TimeAxis& axis = zoom.axis();
  return axis.timeAt(std::clamp(at.x() - kTimelineTreeWidth, 0.0, axis.widthPx()));
}

double TimelineSight::snappedTimeAt(const QPointF& at, const Viewport& viewport) const {
  if (!data) return timeAt(at);
  const double x = std::clamp(at.x() - kTimelineTreeWidth, 0.0, zoom.axis().widthPx());
  const TimelinePane pane = paneAt(at.y(), viewport);
  const auto edge = snapAt(input(pane, viewport), x, at.y() - pane.y, kSnapPx);
  return edge ? *edge : timeAt(at);
}

}  // namespace stagelane::ui
