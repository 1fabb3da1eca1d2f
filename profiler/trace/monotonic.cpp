#include <ctime>

#include "profiler/trace/recorder.h"

namespace stagelane::trace {

TimeNs monotonicNs() {
  constexpr TimeNs kNsPerSecond = 1'000'000'000;
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return TimeNs{now.tv_sec} * kNsPerSecond + TimeNs{now.tv_nsec};
}

}  // namespace stagelane::trace
