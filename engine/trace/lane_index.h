#pragma once

/// Level of detail of a trace: lanes that separate overlapping events, and per lane the busy time
/// of every kind as prefix sums over small blocks of events. A query for the busy time between two
/// times costs a binary search and a look at one block, so drawing scales with pixels, not events.
/// At most 4 bytes per event; immutable once built; usable from any thread. Independent of pixels.

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/trace/trace.h"

namespace stagelane::trace {

inline constexpr std::size_t kCategoryCount = 16;
/// A set of categories, one bit each.
using CategoryMask = std::uint16_t;
[[nodiscard]] constexpr CategoryMask maskOf(Category category) {
  return static_cast<CategoryMask>(1U << static_cast<unsigned>(category));
}

/// Busy nanoseconds per category.
using BusySums = std::array<TimeNs, kCategoryCount>;

class LaneIndex {
 public:
  /// With more simultaneous events than this, the rest share the last lane ("crowded").
  static constexpr std::size_t kMostLanes = 32;

  explicit LaneIndex(TracePtr trace);

  [[nodiscard]] const Trace& trace() const { return *m_trace; }
  [[nodiscard]] const TracePtr& tracePtr() const { return m_trace; }
  /// At least 1, also for a track without events.
  [[nodiscard]] std::size_t laneCount(std::size_t track) const;
  [[nodiscard]] std::size_t laneOf(std::size_t event) const;
  /// Events in the last lane that overlap others because more than kMostLanes ran at once.
  [[nodiscard]] std::size_t crowded(std::size_t track) const { return m_tracks[track].crowded; }
  [[nodiscard]] CategoryMask categories(std::size_t track) const { return m_tracks[track].mask; }
  /// Heap bytes of the index, in addition to the trace.
  [[nodiscard]] std::size_t bytes() const;

 private:
  friend class LaneCursor;
  /// Events in order of start. A lane that is a whole track stores no list; other lanes store
  /// blocks of a first event and 16-bit distances from it.
  struct Lane {
    std::size_t first = 0;  ///< first event, if the lane is the whole track
    std::size_t count = 0;
    bool listed = false;
    bool crowded = false;
    std::uint32_t blockSize = 16;
    std::vector<Category> kinds;             ///< kinds that occur, in the order of `before`
    std::vector<TimeNs> blockStart;          ///< start of each block's first event
    std::vector<TimeNs> before;              ///< [block × kinds]: busy before the block
    std::vector<std::uint32_t> blockEvent;   ///< listed: first event of the block
    std::vector<std::uint32_t> blockOffset;  ///< listed: position of that event
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

/// Walks one lane from left to right and keeps its position, so that a walk over a view costs
/// little more than its steps. In a crowded lane an event ends where the next one begins.
class LaneCursor {
 public:
  LaneCursor(const LaneIndex& index, std::size_t track, std::size_t lane);

  [[nodiscard]] std::size_t count() const { return m_lane->count; }
  [[nodiscard]] std::size_t eventAt(std::size_t position) const;
  [[nodiscard]] TimeNs startAt(std::size_t position) const;
  [[nodiscard]] TimeNs endAt(std::size_t position) const;

  /// Position of the first event that ends after `timeNs` or begins at or after it; count() if
  /// none.
  [[nodiscard]] std::size_t firstReaching(TimeNs timeNs);
  /// The busy time of the lane before `timeNs`, by category.
  [[nodiscard]] BusySums busyBefore(TimeNs timeNs);
  /// The last block of events that begins at or before `timeNs`, -1 if none. If several blocks fit
  /// between two times, the lane is dense there and spreadBefore() is accurate enough.
  std::int64_t blockAt(TimeNs timeNs);
  /// Like busyBefore(), but for kinds() in their order, and with the events of a block spread
  /// evenly over it. Does not touch entries beyond the kinds. @pre `block` is blockAt(timeNs)
  void spreadBefore(std::int64_t block, TimeNs timeNs, BusySums& busyNs);
  /// An event of a block. @pre 0 <= block <= blockAt(any time)
  [[nodiscard]] std::size_t eventOfBlock(std::int64_t block) const;
  /// The categories that occur in the lane.
  [[nodiscard]] const std::vector<Category>& kinds() const { return m_lane->kinds; }

 private:
  /// Adds the busy time of the events of m_block before `timeNs`.
  void addBlock(TimeNs timeNs, BusySums& sums) const;
  /// Whether the event at a position ends after `timeNs`, or begins at or after it.
  [[nodiscard]] bool reaches(std::size_t position, TimeNs timeNs) const;

  const LaneIndex* m_index;
  const LaneIndex::Lane* m_lane;
  /// The columns by position, if the lane is its whole track; else empty.
  std::span<const TimeNs> m_starts, m_durations;
  std::span<const Category> m_categories;
  std::size_t m_block = 0;
};

/// Minimum and maximum of a counter over blocks of samples, so that drawing scales with pixels.
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
