#include "profiler/trace/recorder.h"

#include <ctime>

namespace stagelane::trace {
namespace {

thread_local std::int32_t t_device = -1;

}  // namespace

void setThreadDevice(std::int32_t device) { t_device = device; }

std::int32_t threadDevice() { return t_device; }

TimeNs monotonicNs() {
  constexpr TimeNs kNsPerSecond = 1'000'000'000;
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return TimeNs{now.tv_sec} * kNsPerSecond + TimeNs{now.tv_nsec};
}

}  // namespace stagelane::trace
