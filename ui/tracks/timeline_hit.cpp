/// What is at a point of the timeline. Part of ui/tracks/timeline_scene.h.

#include <cmath>

#include "ui/tracks/scene_canvas.h"

namespace stagelane::ui {
namespace {

struct LanePoint {
  const trace::LaneIndex& index;
  std::size_t track = 0;
  std::size_t lane = 0;
  TimeNs zeroNs = 0;
  const LegendFilter& filter;
};

/// The event at a time, or the nearest one within `slack`, because short events are drawn one pixel
/// wide. Items hidden by the legend cannot be hit.
std::optional<std::size_t> eventAt(const LanePoint& point, double relativeNs, double slack) {
  trace::LaneCursor cursor(point.index, point.track, point.lane);
  const auto time = static_cast<TimeNs>(std::floor(relativeNs)) + point.zeroNs;
  std::size_t at = cursor.firstReaching(time - static_cast<TimeNs>(std::ceil(slack)));
  std::optional<std::size_t> best;
  double nearest = slack;
  for (; at < cursor.count(); ++at) {
    const auto start = static_cast<double>(cursor.startAt(at) - point.zeroNs);
    const auto end = static_cast<double>(cursor.endAt(at) - point.zeroNs);
    if (start > relativeNs + slack) break;
    if (hides(point.filter, point.index.trace().categories()[cursor.eventAt(at)])) continue;
    if (start <= relativeNs && relativeNs < end) return cursor.eventAt(at);
    const double distance = start > relativeNs ? start - relativeNs : relativeNs - end;
    if (distance <= nearest) {
      nearest = distance;
      best = cursor.eventAt(at);
    }
    if (best && start > relativeNs) break;
  }
  return best;
}

/// The gap at a time, or the nearest one within a pixel, because short gaps are drawn one pixel
/// wide. Items hidden by the legend cannot be hit.
TimelineTarget gapAtTime(const SceneInput& input, std::int32_t device, double relativeNs) {
  const analysis::DeviceStep* step = input.data.deviceStep(device);
  if (step == nullptr || relativeNs < 0.0) return {};
  const auto& pieces = step->pieces;
  const auto zero = input.data.startNs();
  const auto startOf = [&](std::size_t at) {
    return static_cast<double>(pieces[at].startNs - zero);
  };
  const auto endOf = [&](std::size_t at) { return static_cast<double>(pieces[at].endNs - zero); };
  const auto shown = [&](std::size_t at) {
    return !analysis::isBusy(pieces[at].cause) && !hides(input.filter, pieces[at].cause);
  };
  const std::size_t here = input.data.piecesOf(*step).endingAfter(relativeNs);
  if (here == pieces.size() || startOf(here) > relativeNs) return {};
  if (shown(here)) return input.data.gapAround(device, here);
  // As many as can be checked per mouse move.
  constexpr std::size_t kMostCandidates = 64;
  const double slack = input.axis.nsPerPixel();
  std::optional<std::size_t> best;
  double nearest = slack;
  const auto offer = [&](std::size_t at, double distance) {
    if (!shown(at) || distance > nearest) return;
    nearest = distance;
    best = at;
  };
  for (std::size_t i = 1; i <= kMostCandidates; ++i) {
    if (i <= here) offer(here - i, relativeNs - endOf(here - i));
    if (here + i < pieces.size()) offer(here + i, startOf(here + i) - relativeNs);
  }
  return best ? input.data.gapAround(device, *best) : TimelineTarget{};
}

TimelineTarget predictedAt(const SceneInput& input, const TimelineRow& row, double timeNs) {
  const trace::LaneIndex& lanes = *input.data.predictedLanes();
  const std::int32_t device = deviceNamed(
      lanes.trace(), input.data.trace().devices()[static_cast<std::size_t>(row.device)]);
  const double relative = timeNs - static_cast<double>(input.predictedShiftNs);
  for (std::size_t track = 0; track < lanes.trace().tracks().size(); ++track) {
    const trace::Track& info = lanes.trace().tracks()[track];
    if (info.device != device || info.kind != trace::TrackKind::Compute) continue;
    for (std::size_t lane = 0; lane < lanes.laneCount(track); ++lane) {
      const auto event =
          eventAt({lanes, track, lane, input.data.predictedStep()->step.startNs, input.filter},
                  relative, input.axis.nsPerPixel());
      if (event) {
        return {.kind = TimelineTarget::Kind::Predicted, .event = *event, .device = row.device};
      }
    }
  }
  return {};
}

bool isEventRow(const TimelineRow& row) { return row.track >= 0 && row.kind != RowKind::Counter; }

}  // namespace

TimelineTarget targetAt(const SceneInput& input, double x, double y) {
  const int index = input.layout.rowAt(y + input.top);
  if (index < 0 || x < 0.0 || x > input.axis.widthPx()) return {};
  const TimelineRow& row = input.layout.rows[static_cast<std::size_t>(index)];
  const double time = input.axis.timeAt(x);
  if (row.kind == RowKind::Ghost) return predictedAt(input, row, time);
  if (isEventRow(row)) {
    const auto event =
        eventAt({input.data.lanes(), static_cast<std::size_t>(row.track),
                 static_cast<std::size_t>(row.lane), input.data.startNs(), input.filter},
                time, input.axis.nsPerPixel());
    if (event) return {.kind = TimelineTarget::Kind::Event, .event = *event, .device = row.device};
  }
  return showsIdle(row.kind) ? gapAtTime(input, row.device, time) : TimelineTarget{};
}

std::optional<double> snapAt(const SceneInput& input, double x, double y, double withinPx) {
  const int index = input.layout.rowAt(y + input.top);
  std::optional<double> best;
  double nearest = withinPx;
  const auto offer = [&](double timeNs) {
    const double distance = std::abs(input.axis.xOf(timeNs) - x);
    if (distance <= nearest) {
      nearest = distance;
      best = timeNs;
    }
  };
  const auto [stepStart, stepEnd] = input.data.stepSpan();
  offer(static_cast<double>(stepStart));
  offer(static_cast<double>(stepEnd));
  if (index < 0 || !isEventRow(input.layout.rows[static_cast<std::size_t>(index)])) return best;
  const TimelineRow& row = input.layout.rows[static_cast<std::size_t>(index)];
  trace::LaneCursor cursor(input.data.lanes(), static_cast<std::size_t>(row.track),
                           static_cast<std::size_t>(row.lane));
  const TimeNs zero = input.data.startNs();
  const double from = input.axis.timeAt(x - withinPx), to = input.axis.timeAt(x + withinPx);
  // An event that ends here may begin earlier; one pixel's worth of candidates is enough.
  constexpr int kMostCandidates = 64;
  std::size_t at = cursor.firstReaching(static_cast<TimeNs>(std::floor(from)) + zero);
  for (int i = 0; i < kMostCandidates && at < cursor.count(); ++i, ++at) {
    if (static_cast<double>(cursor.startAt(at) - zero) > to) break;
    offer(static_cast<double>(cursor.startAt(at) - zero));
    offer(static_cast<double>(cursor.endAt(at) - zero));
  }
  return best;
}

}  // namespace stagelane::ui
