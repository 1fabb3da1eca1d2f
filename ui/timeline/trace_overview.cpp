#include "ui/timeline/trace_overview.h"

#include <QObject>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/base/find.h"

namespace stagelane::ui {
namespace {

constexpr double kLeastShown = 0.5;  ///< of the strip, for the shown step
constexpr double kApart = 0.012;     ///< of the strip, between two steps
constexpr double kBuckets = 400.0;   ///< of the whole strip
constexpr double kLowestRow = 2.0;   ///< pixels
constexpr double kParted = 4.0;      ///< pixels from which rows have a gap between them

QString nameOf(const trace::Step& step, bool operators) {
  if (!step.extra) {
    QString name = QObject::tr("repeat %1").arg(step.repeat + 1);
    if (step.step > 0) name += QObject::tr(", step %1").arg(step.step + 1);
    return name;
  }
  return operators ? QObject::tr("extra repeat with operators, not timed")
                   : QObject::tr("extra repeat, not timed");
}

/// How busy a device was, from its first available lane: actions, else kernels, else operators.
class DeviceBusy {
 public:
  DeviceBusy(const trace::LaneIndex& lanes, std::int32_t device) {
    const auto& tracks = lanes.trace().tracks();
    for (const trace::TrackKind kind :
         {trace::TrackKind::Compute, trace::TrackKind::Kernels, trace::TrackKind::Operators}) {
      for (std::size_t track = 0; track < tracks.size(); ++track) {
        if (tracks[track].device != device || tracks[track].kind != kind) continue;
        m_lanes.emplace_back(lanes, track, 0);
      }
      if (!m_lanes.empty()) return;
    }
  }

  [[nodiscard]] float share(TimeNs from, TimeNs to) {
    if (to <= from) return 0.0F;
    TimeNs most = 0;
    for (trace::LaneCursor& lane : m_lanes) {
      most = std::max(most, busyUntil(lane, to) - busyUntil(lane, from));
    }
    return static_cast<float>(
        std::clamp(static_cast<double>(most) / static_cast<double>(to - from), 0.0, 1.0));
  }

 private:
  [[nodiscard]] static TimeNs busyUntil(trace::LaneCursor& lane, TimeNs timeNs) {
    const trace::BusySums sums = lane.busyBefore(timeNs);
    return std::accumulate(sums.begin(), sums.end(), TimeNs{0});
  }

  std::vector<trace::LaneCursor> m_lanes;
};

void fillBusy(OverviewSegment& segment, const TimelineData& data, const trace::Step& step) {
  const auto count =
      std::max<std::int64_t>(1, std::llround((segment.right - segment.left) * kBuckets));
  const TimeNs length = step.endNs - step.startNs;
  for (std::size_t device = 0; device < data.trace().devices().size(); ++device) {
    DeviceBusy busy(data.lanes(), static_cast<std::int32_t>(device));
    std::vector<float> shares;
    for (std::int64_t bucket = 0; bucket < count; ++bucket) {
      shares.push_back(busy.share(step.startNs + length * bucket / count,
                                  step.startNs + length * (bucket + 1) / count));
    }
    segment.busy.push_back(std::move(shares));
  }
}

bool hasOperators(const TimelineData& data, const trace::Step& step) {
  const auto& tracks = data.trace().tracks();
  for (std::size_t track = 0; track < tracks.size(); ++track) {
    if (tracks[track].kind != trace::TrackKind::Operators &&
        tracks[track].kind != trace::TrackKind::Kernels) {
      continue;
    }
    trace::LaneCursor lane(data.lanes(), track, 0);
    const std::size_t first = lane.firstReaching(step.startNs);
    if (first < lane.count() && lane.startAt(first) < step.endNs) return true;
  }
  return false;
}

/// Shares of the width without the gaps.
std::vector<double> sharesOf(const std::vector<trace::Step>& steps,
                             const std::vector<std::size_t>& order, std::size_t shown) {
  double all = 0.0;
  for (const trace::Step& step : steps) all += static_cast<double>(step.endNs - step.startNs);
  const auto lengthOf = [&](std::size_t place) {
    return static_cast<double>(steps[place].endNs - steps[place].startNs);
  };
  const double others = std::max(1.0, all - lengthOf(shown));
  const double own = std::max(kLeastShown, lengthOf(shown) / std::max(1.0, all));
  std::vector<double> shares;
  for (const std::size_t place : order) {
    shares.push_back(place == shown ? own : (1.0 - own) * lengthOf(place) / others);
  }
  return shares;
}

}  // namespace

const OverviewSegment* TraceOverview::shown() const {
  return findIf(segments, [](const OverviewSegment& segment) { return segment.shown; });
}

const OverviewSegment* TraceOverview::at(double place) const {
  return findIf(segments, [place](const OverviewSegment& segment) {
    return place >= segment.left && place <= segment.right;
  });
}

OverviewRows::OverviewRows(std::size_t devices, double height)
    : m_devices(devices),
      m_count(std::min(devices, static_cast<std::size_t>(std::max(1.0, height / kLowestRow)))),
      m_band(m_count == 0 ? 0.0 : height / static_cast<double>(m_count)) {}

std::pair<std::size_t, std::size_t> OverviewRows::devicesOf(std::size_t row) const {
  return {row * m_devices / m_count, (row + 1) * m_devices / m_count};
}

std::pair<double, double> OverviewRows::barOf(std::size_t row, double share) const {
  const bool parted = m_band > kParted;
  const double bottom = m_band * static_cast<double>(row + 1) - (parted ? 1.0 : 0.0);
  const double tall = share <= 0.0 ? 0.0 : std::max(1.0, share * (m_band - (parted ? 2.0 : 0.0)));
  return {bottom - tall, tall};
}

TraceOverview overviewOf(const TimelineData& data, const std::vector<trace::Step>& steps,
                         std::size_t shown) {
  TraceOverview overview;
  if (shown >= steps.size() || steps.size() < 2) {
    overview.segments.push_back({.step = static_cast<int>(shown), .shown = true});
    return overview;
  }
  std::vector<std::size_t> order(steps.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return steps[a].startNs < steps[b].startNs;
  });
  const std::vector<double> shares = sharesOf(steps, order, shown);
  const auto gaps = static_cast<double>(steps.size() - 1);
  // With many steps the gaps shrink.
  const double apart = std::min(kApart, 0.1 / gaps);
  double left = 0.0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const trace::Step& step = steps[order[i]];
    OverviewSegment segment{.step = static_cast<int>(order[i]),
                            .shown = order[i] == shown,
                            .extra = step.extra,
                            .left = left,
                            .right = left + shares[i] * (1.0 - apart * gaps)};
    segment.name = nameOf(step, step.extra && hasOperators(data, step));
    if (!segment.shown) fillBusy(segment, data, step);
    left = segment.right + apart;
    overview.segments.push_back(std::move(segment));
  }
  overview.segments.back().right = 1.0;
  return overview;
}

}  // namespace stagelane::ui
