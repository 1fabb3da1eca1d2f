#pragma once

/// Level of detail of a trace: the lanes that keep overlapping events apart, and per lane the busy
/// time of every kind as prefix sums over small blocks of events. It answers "how busy is this lane
/// between two times, and with what" in a binary search and a look at one block, so that drawing
/// costs what there are pixels, not what there are events. At most 4 bytes an event; immutable once
/// built, for any thread. Knows nothing of pixels.

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/trace/trace.h"

namespace stagelane::trace {

inline constexpr std::size_t kCategoryCount = 16;
/// A set of categories, a bit each.
using CategoryMask = std::uint16_t;
[[nodiscard]] constexpr CategoryMask maskOf(Category category) {
  return static_cast<CategoryMask>(1U << static_cast<unsigned>(category));
}

/// Busy nanoseconds of every category.
using BusySums = std::array<TimeNs, kCategoryCount>;

class LaneIndex {
 public:
  /// Beyond this many events at once, the rest shares the last lane ("crowded").
  static constexpr std::size_t kMostLanes = 32;

  explicit LaneIndex(TracePtr trace);

  [[nodiscard]] const Trace& trace() const { return *m_trace; }
  [[nodiscard]] const TracePtr& tracePtr() const { return m_trace; }
  /// At least 1, also of a track without events.
  [[nodiscard]] std::size_t laneCount(std::size_t track) const;
  [[nodiscard]] std::size_t laneOf(std::size_t event) const;
  /// Events that overlap others of the last lane because there were more than kMostLanes at once.
  [[nodiscard]] std::size_t crowded(std::size_t track) const { return m_tracks[track].crowded; }
  [[nodiscard]] CategoryMask categories(std::size_t track) const { return m_tracks[track].mask; }
  /// Heap bytes of the index, beside the trace's own.
  [[nodiscard]] std::size_t bytes() const;

 private:
  friend class LaneCursor;
  /// Events in order of their start. Those of a track with one lane are simply the track's; those
  /// of several lanes are listed in blocks as a first event and 16-bit distances to it.
  struct Lane {
    std::size_t first = 0;  ///< event, where the lane is the whole track
    std::size_t count = 0;
    bool listed = false;
    bool crowded = false;
    std::uint32_t blockSize = 16;
    std::vector<Category> kinds;             ///< that occur, in the order of `before`
    std::vector<TimeNs> blockStart;          ///< of each block's first event
    std::vector<TimeNs> before;              ///< [block × kinds]: busy before the block
    std::vector<std::uint32_t> blockEvent;   ///< listed: first event of the block
    std::vector<std::uint32_t> blockOffset;  ///< listed: position of the block's first event
    std::vector<std::uint16_t> distance;     ///< listed: event − blockEvent of its block
  };
  struct TrackLanes {
    std::vector<Lane> lanes;
    std::size_t crowded = 0;
    CategoryMask mask = 0;
  };
  class Builder;

  [[nodiscard]] std::size_t blockOf(const Lane& lane, std::size_t position) const;
  [[nodiscard]] std::size_t blockBegin(const Lane& lane, std::size_t block) const;
  [[nodiscard]] std::size_t eventAt(const Lane& lane, std::size_t position) const;
  [[nodiscard]] std::size_t eventAt(const Lane& lane, std::size_t block,
                                    std::size_t position) const;

  TracePtr m_trace;
  std::vector<TrackLanes> m_tracks;
};
using LaneIndexPtr = std::shared_ptr<const LaneIndex>;

/// Walks one lane from left to right. Keeps its place, so that a walk over a view costs little more
/// than its steps. In a crowded lane an event ends where the next one begins.
class LaneCursor {
 public:
  LaneCursor(const LaneIndex& index, std::size_t track, std::size_t lane);

  [[nodiscard]] std::size_t count() const { return m_lane->count; }
  [[nodiscard]] std::size_t eventAt(std::size_t position) const;
  [[nodiscard]] TimeNs startAt(std::size_t position) const;
  [[nodiscard]] TimeNs endAt(std::size_t position) const;

  /// Position of the first event that reaches past `timeNs` or begins at it or later; count() for
  /// none.
  [[nodiscard]] std::size_t firstReaching(TimeNs timeNs);
  /// The busy time of the lane before `timeNs`, by category.
  [[nodiscard]] BusySums busyBefore(TimeNs timeNs);
  /// The last block of events that begins at or before `timeNs`, -1 for none. Where several blocks
  /// lie between two times, the lane is dense there and spreadBefore() says enough.
  std::int64_t blockAt(TimeNs timeNs);
  /// As busyBefore(), but of kinds() in their order, and as if the events of a block were spread
  /// evenly in it. Leaves what is behind the kinds as it was. @pre `block` is blockAt(timeNs)
  void spreadBefore(std::int64_t block, TimeNs timeNs, BusySums& busyNs);
  /// An event of a block. @pre 0 <= block <= blockAt(any time)
  [[nodiscard]] std::size_t eventOfBlock(std::int64_t block) const;
  /// The categories that occur in the lane.
  [[nodiscard]] const std::vector<Category>& kinds() const { return m_lane->kinds; }

 private:
  /// The busy time of the events of m_block before `timeNs`.
  void addBlock(TimeNs timeNs, BusySums& sums) const;
  /// Whether the event at a position reaches past `timeNs`, or begins at it or later.
  [[nodiscard]] bool reaches(std::size_t position, TimeNs timeNs) const;

  const LaneIndex* m_index;
  const LaneIndex::Lane* m_lane;
  /// Of a lane that is its whole track: the columns of its events by position; else empty.
  std::span<const TimeNs> m_starts, m_durations;
  std::span<const Category> m_categories;
  std::size_t m_block = 0;
};

/// The extremes of a counter's values, over blocks of samples: a curve of any length is drawn by
/// pixels too.
class CounterIndex {
 public:
  explicit CounterIndex(const CounterSeries& series);
  struct Extremes {
    double least = 0.0;
    double most = 0.0;
  };
  /// Over the samples [first, last). @pre first < last
  [[nodiscard]] Extremes between(std::size_t first, std::size_t last) const;
  /// Over all; zeros for an empty series.
  [[nodiscard]] Extremes all() const { return m_all; }

 private:
  const CounterSeries* m_series;
  std::vector<Extremes> m_blocks;
  Extremes m_all;
};

}  // namespace stagelane::trace
