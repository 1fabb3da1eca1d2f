#include "engine/trace/recorder.h"

#include <atomic>
#include <ctime>

namespace stagelane::trace {
namespace {

thread_local std::int32_t t_device = -1;

/// Global because actions run deep below the code that starts a recording.
std::atomic<const ActionObserver*> s_observer{nullptr};

}  // namespace

void setThreadDevice(std::int32_t device) { t_device = device; }

std::int32_t threadDevice() { return t_device; }

void observeActions(const ActionObserver* observer) {
  s_observer.store(observer, std::memory_order_release);
}

const ActionObserver* actionObserver() { return s_observer.load(std::memory_order_acquire); }

TimeNs monotonicNs() {
  constexpr TimeNs kNsPerSecond = 1'000'000'000;
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return TimeNs{now.tv_sec} * kNsPerSecond + TimeNs{now.tv_nsec};
}

}  // namespace stagelane::trace
