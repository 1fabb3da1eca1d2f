#include "profiler/formats/perfetto_lanes.h"

#include <algorithm>
#include <tuple>

#include "engine/base/find.h"

namespace stagelane::formats::detail {
namespace {

struct Interval {
  TimeNs startNs = 0;
  TimeNs endNs = 0;
  std::uint32_t index = 0;
};

/// Distributes intervals, sorted by (start, -duration), over lanes in which they nest.
class LaneFiller {
 public:
  LaneFiller(std::int32_t track, MarkKind begin, MarkKind end)
      : m_track(track), m_begin(begin), m_end(end) {
    addLane();
  }

  void add(const Interval& interval) {
    std::size_t lane = 0;
    while (!fits(lane, interval)) {
      ++lane;
      if (lane == m_lanes.size()) addLane();
    }
    m_lanes[lane].marks.push_back({interval.startNs, interval.index, m_begin});
    m_open[lane].push_back(interval);
  }

  std::vector<Lane> finish() {
    for (std::size_t lane = 0; lane < m_lanes.size(); ++lane) {
      while (!m_open[lane].empty()) close(lane);
    }
    return std::move(m_lanes);
  }

 private:
  void addLane() {
    m_lanes.push_back({m_track, m_lanes.size(), 0, {}});
    m_open.emplace_back();
  }

  void close(std::size_t lane) {
    const Interval& last = m_open[lane].back();
    m_lanes[lane].marks.push_back({last.endNs, last.index, m_end});
    m_open[lane].pop_back();
  }

  bool fits(std::size_t lane, const Interval& interval) {
    std::vector<Interval>& open = m_open[lane];
    while (!open.empty() && open.back().endNs <= interval.startNs) close(lane);
    return open.empty() || interval.endNs <= open.back().endNs;
  }

  std::int32_t m_track;
  MarkKind m_begin;
  MarkKind m_end;
  std::vector<Lane> m_lanes;
  std::vector<std::vector<Interval>> m_open;
};

std::vector<Lane> trackLanes(const trace::Trace& trace, std::size_t track) {
  LaneFiller filler(static_cast<std::int32_t>(track), MarkKind::Begin, MarkKind::End);
  const auto [first, last] = trace.rangeOfTrack(track);
  for (std::size_t index = first; index < last; ++index) {
    const TimeNs startNs = trace.startsNs()[index];
    filler.add({startNs, startNs + trace.durationsNs()[index], static_cast<std::uint32_t>(index)});
  }
  return filler.finish();
}

std::vector<Lane> stepLanes(const trace::Trace& trace) {
  std::vector<Interval> intervals;
  for (std::size_t index = 0; index < trace.steps().size(); ++index) {
    const trace::Step& step = trace.steps()[index];
    intervals.push_back({step.startNs, step.endNs, static_cast<std::uint32_t>(index)});
  }
  std::stable_sort(
      intervals.begin(), intervals.end(), [](const Interval& left, const Interval& right) {
        return std::tie(left.startNs, right.endNs) < std::tie(right.startNs, left.endNs);
      });
  LaneFiller filler(-1, MarkKind::StepBegin, MarkKind::StepEnd);
  for (const Interval& interval : intervals) filler.add(interval);
  return filler.finish();
}

void addCounterMarks(const trace::Trace& trace, std::vector<Lane>& lanes) {
  for (std::size_t index = 0; index < trace.counters().size(); ++index) {
    const trace::CounterSeries& series = trace.counters()[index];
    auto* lane = findBy(lanes, &Lane::track, static_cast<std::int32_t>(series.track));
    if (lane == nullptr) continue;
    lane->series = index;
    for (std::size_t point = 0; point < series.timesNs.size(); ++point) {
      lane->marks.push_back(
          {series.timesNs[point], static_cast<std::uint32_t>(point), MarkKind::Counter});
    }
  }
}

/// 0 for marks that come first among those at the same time.
int rankOf(const trace::Trace& trace, const Mark& mark) {
  if (mark.kind != MarkKind::Begin) return 0;
  const trace::Category category = trace.categories()[mark.index];
  return category == trace::Category::SendForward || category == trace::Category::SendBackward ? 0
                                                                                               : 1;
}

}  // namespace

std::vector<Lane> lanesOf(const trace::Trace& trace, bool withSteps) {
  std::vector<Lane> lanes;
  const auto append = [&lanes](std::vector<Lane> more) {
    std::move(more.begin(), more.end(), std::back_inserter(lanes));
  };
  for (std::size_t track = 0; track < trace.tracks().size(); ++track) {
    append(trackLanes(trace, track));
  }
  addCounterMarks(trace, lanes);
  if (withSteps && !trace.steps().empty()) append(stepLanes(trace));
  return lanes;
}

const trace::Step* stepAt(const trace::Trace& trace, TimeNs timeNs) {
  const auto& steps = trace.steps();
  const auto after = std::upper_bound(
      steps.begin(), steps.end(), timeNs,
      [](TimeNs wanted, const trace::Step& step) { return wanted < step.startNs; });
  return after == steps.begin() ? nullptr : &*(after - 1);
}

bool MergedLanes::Head::operator<(const Head& other) const {
  return std::tie(other.timeNs, other.rank, other.lane) < std::tie(timeNs, rank, lane);
}

MergedLanes::MergedLanes(const trace::Trace& trace, const std::vector<Lane>& lanes)
    : m_trace(trace), m_lanes(lanes), m_next(lanes.size(), 0) {
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) push(lane);
}

void MergedLanes::push(std::size_t lane) {
  if (m_next[lane] < m_lanes[lane].marks.size()) {
    const Mark& mark = m_lanes[lane].marks[m_next[lane]];
    m_heap.push_back({mark.timeNs, rankOf(m_trace, mark), lane});
    std::push_heap(m_heap.begin(), m_heap.end());
  }
}

bool MergedLanes::next() {
  if (m_heap.empty()) return false;
  std::pop_heap(m_heap.begin(), m_heap.end());
  m_current = m_heap.back().lane;
  m_heap.pop_back();
  m_place = m_next[m_current]++;
  push(m_current);
  return true;
}

}  // namespace stagelane::formats::detail
