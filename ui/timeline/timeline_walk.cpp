#include "ui/timeline/timeline_walk.h"

#include <algorithm>

namespace stagelane::ui {
namespace {

TimelineTarget eventTarget(const TimelineData& data, std::size_t event) {
  return {.kind = TimelineTarget::Kind::Event, .event = event, .device = data.deviceOfEvent(event)};
}

/// Whether the event is in the step and not hidden.
bool isShown(const TimelineData& data, std::size_t event, const LegendFilter& filter) {
  const trace::EventView view = data.trace().event(event);
  return view.endNs() >= data.startNs() && view.startNs < data.startNs() + data.rangeNs() &&
         !hides(filter, view.category);
}

std::optional<std::size_t> firstInView(const TimelineData& data, const TimeAxis& axis,
                                       std::size_t track, const LegendFilter& filter) {
  const auto starts = data.trace().startsNs();
  const auto [begin, end] = data.trace().rangeOfTrack(track);
  const double fromNs = static_cast<double>(data.startNs()) + axis.firstNs();
  const double toNs = static_cast<double>(data.startNs()) + axis.lastNs();
  const auto first =
      std::partition_point(starts.begin() + static_cast<std::ptrdiff_t>(begin),
                           starts.begin() + static_cast<std::ptrdiff_t>(end),
                           [fromNs](TimeNs start) { return static_cast<double>(start) < fromNs; });
  for (auto event = static_cast<std::size_t>(first - starts.begin()); event < end; ++event) {
    if (static_cast<double>(starts[event]) >= toNs) break;
    if (isShown(data, event, filter)) return event;
  }
  return std::nullopt;
}

}  // namespace

std::optional<TimelineTarget> nextOnTrack(const TimelineData& data, const TimeAxis& axis,
                                          const TimelineTarget& selection, int direction,
                                          const LegendFilter& filter) {
  const trace::Trace& trace = data.trace();
  if (selection.kind != TimelineTarget::Kind::Event) {
    for (std::size_t track = 0; track < trace.tracks().size(); ++track) {
      if (const auto event = firstInView(data, axis, track, filter)) {
        return eventTarget(data, *event);
      }
    }
    return std::nullopt;
  }
  const auto track = static_cast<std::size_t>(trace.event(selection.event).track);
  const auto [begin, end] = trace.rangeOfTrack(track);
  const auto step =
      static_cast<std::size_t>(direction);  // −1 wraps, and the additions below wrap back
  for (std::size_t event = selection.event + step; event >= begin && event < end; event += step) {
    if (isShown(data, event, filter)) return eventTarget(data, event);
  }
  return std::nullopt;
}

}  // namespace stagelane::ui
