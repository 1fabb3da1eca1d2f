#pragma once

/// The order of writing a trace: slices that overlap without nesting get separate lanes (Perfetto
/// tracks do not support them), and all lanes are merged by time, so that a truncated file lacks
/// the end of the run and not the last tracks. Internal to profiler/formats.

#include <cstdint>
#include <vector>

#include "engine/trace/trace.h"

namespace stagelane::formats::detail {

enum class MarkKind : std::uint8_t { Begin, End, StepBegin, StepEnd, Counter };

/// A start or end on a lane.
struct Mark {
  TimeNs timeNs = 0;
  std::uint32_t index = 0;  ///< event, step, or point of the counter series
  MarkKind kind = MarkKind::Begin;
};

struct Lane {
  std::int32_t track = -1;  ///< index into Trace::tracks(), -1 for the steps
  std::size_t number = 0;   ///< 0 for the first lane of a track
  std::size_t series = 0;   ///< index into Trace::counters(), counter tracks only
  std::vector<Mark> marks;  ///< nested starts and ends, by time
};

/// In the order of tracks, with the steps last. Every track has at least one lane.
[[nodiscard]] std::vector<Lane> lanesOf(const trace::Trace& trace, bool withSteps = true);

/// The last step that started by this time; null before the first.
[[nodiscard]] const trace::Step* stepAt(const trace::Trace& trace, TimeNs timeNs);

/// Visits the marks of all lanes by time. At equal times, ends and sends come first, so that an
/// arrow starts at the send.
class MergedLanes {
 public:
  MergedLanes(const trace::Trace& trace, const std::vector<Lane>& lanes);
  /// False at the end.
  [[nodiscard]] bool next();
  [[nodiscard]] const Mark& mark() const { return m_lanes[m_current].marks[m_place]; }
  [[nodiscard]] std::size_t lane() const { return m_current; }

 private:
  struct Head {
    TimeNs timeNs;
    int rank;
    std::size_t lane;
    /// Reversed, so that the top of the heap is the earliest.
    [[nodiscard]] bool operator<(const Head& other) const;
  };
  void push(std::size_t lane);

  const trace::Trace& m_trace;
  const std::vector<Lane>& m_lanes;
  std::vector<std::size_t> m_next;
  std::vector<Head> m_heap;
  std::size_t m_current = 0;
  std::size_t m_place = 0;
};

}  // namespace stagelane::formats::detail
