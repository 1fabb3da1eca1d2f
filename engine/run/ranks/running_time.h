#pragma once

/// Time for limits of waits. A process that was suspended for a while (a debugger, a closed laptop)
/// must not conclude that others were silent in that time.

#include <algorithm>

#include "engine/trace/recorder.h"

namespace stagelane::run {

/// Adds up the time between calls of `tick`, at most `longestNs` for each. @thread one
class RunningTime {
 public:
  explicit RunningTime(TimeNs longestNs = 1'000'000'000) : m_longestNs(longestNs) {}

  /// The time since the last call or the start, as far as it counts; in nanoseconds.
  TimeNs tick() {
    const TimeNs nowNs = trace::monotonicNs();
    const TimeNs sliceNs = std::min(nowNs - m_lastNs, m_longestNs);
    m_lastNs = nowNs;
    m_elapsedNs += sliceNs;
    return sliceNs;
  }
  /// Ticks, and returns the sum in nanoseconds.
  TimeNs elapsedNs() {
    tick();
    return m_elapsedNs;
  }

 private:
  TimeNs m_longestNs;
  TimeNs m_lastNs = trace::monotonicNs();
  TimeNs m_elapsedNs = 0;
};

}  // namespace stagelane::run
