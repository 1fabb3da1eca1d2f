#include "engine/trace/lane_index.h"

#include <algorithm>
#include <limits>

namespace stagelane::trace {
namespace {

constexpr std::uint32_t kFarthest = std::numeric_limits<std::uint16_t>::max();

/// Chosen so that prefix sums of `kinds` kinds, the start and the list take under 4 bytes per
/// event.
std::uint32_t blockSizeFor(std::size_t kinds, bool listed) {
  const std::uint32_t least = listed ? 32 : 16;
  if (kinds <= 2) return least;
  if (kinds <= 4) return 2 * least;
  return kinds <= 8 ? 64U : 128U;
}

template <class T>
std::size_t bytesOf(const std::vector<T>& values) {
  return values.capacity() * sizeof(T);
}

CategoryMask bitOf(Category category) { return maskOf(category); }

}  // namespace

/// Assigns the events of one track to lanes.
class LaneIndex::Builder {
 public:
  Builder(const Trace& trace, std::size_t track) : m_trace(trace) {
    const auto [first, last] = trace.rangeOfTrack(track);
    m_first = first;
    m_count = last - first;
  }

  TrackLanes build() {
    assignLanes();
    TrackLanes track;
    track.crowded = m_crowded;
    const std::size_t lanes = std::max<std::size_t>(1, m_lastEnd.size());
    track.lanes.resize(lanes);
    m_masks.resize(lanes, 0);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      prepare(track.lanes[lane], lane, lanes > 1);
      track.mask = static_cast<CategoryMask>(track.mask | m_masks[lane]);
    }
    for (std::size_t i = 0; i < m_count; ++i) append(track.lanes[lanes > 1 ? m_laneOf[i] : 0], i);
    for (Lane& lane : track.lanes) shrink(lane);
    return track;
  }

 private:
  void assignLanes() {
    m_laneOf.resize(m_count);
    for (std::size_t i = 0; i < m_count; ++i) {
      const TimeNs start = m_trace.startsNs()[m_first + i];
      std::size_t lane = 0;
      while (lane < m_lastEnd.size() && m_lastEnd[lane] > start) ++lane;
      if (lane == kMostLanes) {
        lane = kMostLanes - 1;
        ++m_crowded;
      }
      if (lane == m_lastEnd.size()) {
        m_lastEnd.push_back(0);
        m_masks.push_back(0);
        m_counts.push_back(0);
      }
      const TimeNs end = start + m_trace.durationsNs()[m_first + i];
      m_lastEnd[lane] = m_crowded > 0 ? std::max(m_lastEnd[lane], end) : end;
      m_masks[lane] =
          static_cast<CategoryMask>(m_masks[lane] | bitOf(m_trace.categories()[m_first + i]));
      ++m_counts[lane];
      m_laneOf[i] = static_cast<std::uint8_t>(lane);
    }
  }

  void prepare(Lane& lane, std::size_t number, bool listed) {
    lane.first = m_first;
    lane.listed = listed;
    lane.crowded = m_crowded > 0 && number + 1 == kMostLanes;
    for (std::size_t kind = 0; kind < kCategoryCount; ++kind) {
      const auto category = static_cast<Category>(kind);
      if ((m_masks[number] & bitOf(category)) != 0) lane.kinds.push_back(category);
    }
    lane.blockSize = blockSizeFor(lane.kinds.size(), listed);
    const std::size_t count = number < m_counts.size() ? m_counts[number] : 0;
    lane.blockStart.reserve(count / lane.blockSize + 1);
    lane.before.reserve((count / lane.blockSize + 1) * lane.kinds.size());
    if (listed) lane.distance.reserve(count);
    m_sums.emplace_back(lane.kinds.size(), 0);
    m_inBlock.push_back(lane.blockSize);
    m_previous.push_back(0);
  }

  void append(Lane& lane, std::size_t index) {
    const std::size_t number = m_laneOf.empty() || !lane.listed ? 0 : m_laneOf[index];
    const std::size_t event = m_first + index;
    const bool far =
        lane.listed && !lane.blockEvent.empty() && event - lane.blockEvent.back() > kFarthest;
    const TimeNs start = m_trace.startsNs()[event];
    if (lane.crowded && lane.count > 0) cutPrevious(lane, number, start);
    if (m_inBlock[number] >= lane.blockSize || far) beginBlock(lane, number, event);
    if (lane.listed) {
      lane.distance.push_back(static_cast<std::uint16_t>(event - lane.blockEvent.back()));
    }
    ++m_inBlock[number];
    ++lane.count;
    m_previous[number] = event;
    m_sums[number][kindOf(lane, event)] += m_trace.durationsNs()[event];
  }

  /// In a crowded lane an event is cut where the next one begins.
  void cutPrevious(const Lane& lane, std::size_t number, TimeNs start) {
    const std::size_t previous = m_previous[number];
    const TimeNs end = m_trace.startsNs()[previous] + m_trace.durationsNs()[previous];
    if (end > start) m_sums[number][kindOf(lane, previous)] -= end - start;
  }

  [[nodiscard]] std::size_t kindOf(const Lane& lane, std::size_t event) const {
    const Category category = m_trace.categories()[event];
    const auto found = std::find(lane.kinds.begin(), lane.kinds.end(), category);
    return static_cast<std::size_t>(found - lane.kinds.begin());
  }

  void beginBlock(Lane& lane, std::size_t number, std::size_t event) {
    lane.blockStart.push_back(m_trace.startsNs()[event]);
    lane.before.insert(lane.before.end(), m_sums[number].begin(), m_sums[number].end());
    if (lane.listed) {
      lane.blockEvent.push_back(static_cast<std::uint32_t>(event));
      lane.blockOffset.push_back(static_cast<std::uint32_t>(lane.count));
    }
    m_inBlock[number] = 0;
  }

  static void shrink(Lane& lane) {
    lane.blockStart.shrink_to_fit();
    lane.before.shrink_to_fit();
    lane.blockEvent.shrink_to_fit();
    lane.blockOffset.shrink_to_fit();
    lane.distance.shrink_to_fit();
  }

  const Trace& m_trace;
  std::size_t m_first = 0, m_count = 0, m_crowded = 0;
  std::vector<std::uint8_t> m_laneOf;
  std::vector<TimeNs> m_lastEnd;
  std::vector<CategoryMask> m_masks;
  std::vector<std::size_t> m_counts, m_previous;
  std::vector<std::uint32_t> m_inBlock;
  std::vector<std::vector<TimeNs>> m_sums;
};

LaneIndex::LaneIndex(TracePtr trace) : m_trace(std::move(trace)) {
  m_tracks.reserve(m_trace->tracks().size());
  for (std::size_t track = 0; track < m_trace->tracks().size(); ++track) {
    m_tracks.push_back(Builder(*m_trace, track).build());
  }
}

std::size_t LaneIndex::laneCount(std::size_t track) const { return m_tracks[track].lanes.size(); }

std::size_t LaneIndex::laneOf(std::size_t event) const {
  const std::vector<Lane>& lanes = m_tracks[m_trace->event(event).track].lanes;
  for (std::size_t number = 0; number + 1 < lanes.size(); ++number) {
    const Lane& lane = lanes[number];
    const auto after = std::upper_bound(lane.blockEvent.begin(), lane.blockEvent.end(), event);
    if (after == lane.blockEvent.begin()) continue;
    const auto block = static_cast<std::size_t>(after - lane.blockEvent.begin()) - 1;
    const std::size_t far = event - lane.blockEvent[block];
    if (far > kFarthest) continue;
    const auto begin = lane.distance.begin() + lane.blockOffset[block];
    const auto end =
        lane.distance.begin() + static_cast<std::ptrdiff_t>(blockBegin(lane, block + 1));
    if (std::binary_search(begin, end, static_cast<std::uint16_t>(far))) return number;
  }
  return lanes.size() - 1;
}

std::size_t LaneIndex::bytes() const {
  std::size_t sum = bytesOf(m_tracks);
  for (const TrackLanes& track : m_tracks) {
    sum += bytesOf(track.lanes);
    for (const Lane& lane : track.lanes) {
      sum += bytesOf(lane.kinds) + bytesOf(lane.blockStart) + bytesOf(lane.before) +
             bytesOf(lane.blockEvent) + bytesOf(lane.blockOffset) + bytesOf(lane.distance);
    }
  }
  return sum;
}

std::size_t LaneIndex::blockBegin(const Lane& lane, std::size_t block) const {
  if (block >= lane.blockStart.size()) return lane.count;
  return lane.listed ? lane.blockOffset[block] : block * lane.blockSize;
}

std::size_t LaneIndex::blockOf(const Lane& lane, std::size_t position) const {
  const std::size_t guess = position / lane.blockSize;
  if (!lane.listed) return guess;
  // A block holds at most blockSize events, so the block is at the guess or after it.
  const auto from = lane.blockOffset.begin() + static_cast<std::ptrdiff_t>(guess);
  if (guess + 1 < lane.blockOffset.size() && *(from + 1) > position) return guess;
  const auto after = std::upper_bound(from, lane.blockOffset.end(), position);
  return static_cast<std::size_t>(after - lane.blockOffset.begin()) - 1;
}

std::size_t LaneIndex::eventAt(const Lane& lane, std::size_t block, std::size_t position) const {
  return lane.listed ? std::size_t{lane.blockEvent[block]} + lane.distance[position]
                     : lane.first + position;
}

std::size_t LaneIndex::eventAt(const Lane& lane, std::size_t position) const {
  return lane.listed ? eventAt(lane, blockOf(lane, position), position) : lane.first + position;
}

LaneCursor::LaneCursor(const LaneIndex& index, std::size_t track, std::size_t lane)
    : m_index(&index), m_lane(&index.m_tracks[track].lanes[lane]) {
  if (m_lane->listed) return;
  m_starts = index.trace().startsNs().subspan(m_lane->first, m_lane->count);
  m_durations = index.trace().durationsNs().subspan(m_lane->first, m_lane->count);
  m_categories = index.trace().categories().subspan(m_lane->first, m_lane->count);
}

std::size_t LaneCursor::eventAt(std::size_t position) const {
  return m_lane->listed ? m_index->eventAt(*m_lane, position) : m_lane->first + position;
}

TimeNs LaneCursor::startAt(std::size_t position) const {
  if (!m_lane->listed) return m_starts[position];
  return m_index->trace().startsNs()[eventAt(position)];
}

TimeNs LaneCursor::endAt(std::size_t position) const {
  if (!m_lane->listed) return m_starts[position] + m_durations[position];
  const std::size_t event = eventAt(position);
  const TimeNs end = m_index->trace().startsNs()[event] + m_index->trace().durationsNs()[event];
  return m_lane->crowded && position + 1 < m_lane->count ? std::min(end, startAt(position + 1))
                                                         : end;
}

std::int64_t LaneCursor::blockAt(TimeNs timeNs) {
  const std::vector<TimeNs>& starts = m_lane->blockStart;
  if (starts.empty() || starts.front() > timeNs) return -1;
  std::size_t low = m_block < starts.size() && starts[m_block] <= timeNs ? m_block : 0;
  // A walk usually moves to one of the next few blocks; counting them is free of branches.
  constexpr std::size_t kNear = 8;
  if (low + kNear < starts.size() && starts[low + kNear] > timeNs) {
    const TimeNs* const here = starts.data() + low;
    m_block = low;
    for (std::size_t i = 1; i < kNear; ++i) m_block += here[i] <= timeNs ? 1 : 0;
    return static_cast<std::int64_t>(m_block);
  }
  // Beyond those, gallop with growing steps.
  std::size_t step = kNear;
  while (low + step < starts.size() && starts[low + step] <= timeNs) {
    low += step;
    step *= 2;
  }
  const auto end =
      starts.begin() + static_cast<std::ptrdiff_t>(std::min(low + step, starts.size()));
  const auto after =
      std::upper_bound(starts.begin() + static_cast<std::ptrdiff_t>(low), end, timeNs);
  m_block = static_cast<std::size_t>(after - starts.begin()) - 1;
  return static_cast<std::int64_t>(m_block);
}

bool LaneCursor::reaches(std::size_t position, TimeNs timeNs) const {
  if (m_lane->listed) return endAt(position) > timeNs || startAt(position) >= timeNs;
  const TimeNs start = m_starts[position];
  return start + m_durations[position] > timeNs || start >= timeNs;
}

std::size_t LaneCursor::firstReaching(TimeNs timeNs) {
  // Events of a lane do not overlap, so those that end by then precede the rest. If several events
  // start at once, a block may begin in the middle of them: start searching before them.
  if (blockAt(timeNs) < 0) return 0;
  std::size_t block = m_block;
  while (block > 0 && m_lane->blockStart[block] == timeNs) --block;
  std::size_t low = m_index->blockBegin(*m_lane, block);
  std::size_t high = m_index->blockBegin(*m_lane, m_block + 1);
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (reaches(middle, timeNs)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

BusySums LaneCursor::busyBefore(TimeNs timeNs) {
  BusySums sums{};
  if (blockAt(timeNs) < 0) return sums;
  const std::size_t kinds = m_lane->kinds.size();
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    sums[static_cast<std::size_t>(m_lane->kinds[kind])] = m_lane->before[m_block * kinds + kind];
  }
  addBlock(timeNs, sums);
  return sums;
}

void LaneCursor::addBlock(TimeNs timeNs, BusySums& sums) const {
  const Trace& trace = m_index->trace();
  const std::size_t last = m_index->blockBegin(*m_lane, m_block + 1);
  if (!m_lane->listed) {
    for (std::size_t at = m_block * m_lane->blockSize; at < last && m_starts[at] < timeNs; ++at) {
      sums[static_cast<std::size_t>(m_categories[at])] +=
          std::min(timeNs - m_starts[at], m_durations[at]);
    }
    return;
  }
  for (std::size_t at = m_index->blockBegin(*m_lane, m_block); at < last; ++at) {
    const std::size_t event = m_index->eventAt(*m_lane, m_block, at);
    const TimeNs start = trace.startsNs()[event];
    if (start >= timeNs) break;
    const TimeNs end = m_lane->crowded ? endAt(at) : start + trace.durationsNs()[event];
    sums[static_cast<std::size_t>(trace.categories()[event])] += std::min(timeNs, end) - start;
  }
}

void LaneCursor::spreadBefore(std::int64_t block, TimeNs timeNs, BusySums& busyNs) {
  const std::size_t kinds = m_lane->kinds.size();
  if (block < 0) {
    std::fill_n(busyNs.begin(), kinds, 0);
    return;
  }
  const auto here = static_cast<std::size_t>(block);
  if (here + 1 == m_lane->blockStart.size()) {
    const BusySums sums = busyBefore(timeNs);
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      busyNs[kind] = sums[static_cast<std::size_t>(m_lane->kinds[kind])];
    }
    return;
  }
  const TimeNs from = m_lane->blockStart[here], to = m_lane->blockStart[here + 1];
  const double share =
      to > from ? static_cast<double>(timeNs - from) / static_cast<double>(to - from) : 1.0;
  const TimeNs* const before = m_lane->before.data() + here * kinds;
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    const auto whole = static_cast<double>(before[kinds + kind] - before[kind]);
    busyNs[kind] = before[kind] + static_cast<TimeNs>(whole * share);
  }
}

std::size_t LaneCursor::eventOfBlock(std::int64_t block) const {
  const auto number = static_cast<std::size_t>(block);
  return m_index->eventAt(*m_lane, number, m_index->blockBegin(*m_lane, number));
}

namespace {

constexpr std::size_t kSamplesABlock = 64;

void widen(CounterIndex::Extremes& extremes, double least, double most) {
  extremes.least = std::min(extremes.least, least);
  extremes.most = std::max(extremes.most, most);
}

}  // namespace

CounterIndex::CounterIndex(const CounterSeries& series) : m_series(&series) {
  for (std::size_t i = 0; i < series.values.size(); ++i) {
    const double value = series.values[i];
    if (i % kSamplesABlock == 0) m_blocks.push_back({value, value});
    widen(m_blocks.back(), value, value);
  }
  if (!m_blocks.empty()) m_all = m_blocks.front();
  for (const Extremes& block : m_blocks) widen(m_all, block.least, block.most);
}

CounterIndex::Extremes CounterIndex::between(std::size_t first, std::size_t last) const {
  const std::vector<double>& values = m_series->values;
  Extremes answer{values[first], values[first]};
  for (std::size_t i = first; i < last;) {
    if (i % kSamplesABlock == 0 && i + kSamplesABlock <= last) {
      const Extremes& block = m_blocks[i / kSamplesABlock];
      widen(answer, block.least, block.most);
      i += kSamplesABlock;
    } else {
      widen(answer, values[i], values[i]);
      ++i;
    }
  }
  return answer;
}

}  // namespace stagelane::trace
