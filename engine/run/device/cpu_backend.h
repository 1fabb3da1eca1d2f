#pragma once

/// A CPU worker: one thread that owns a number of cores. Shares storage at a stage boundary.

#include <chrono>

#include "engine/run/device/backend.h"

namespace stagelane::run {

/// Nanoseconds of the monotonic clock, the time base of all markers of a run.
[[nodiscard]] inline TimeNs monotonicNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// A time of the host's clock.
class ClockMarker final : public Marker {
 public:
  explicit ClockMarker(TimeNs time) : m_time(time) {}
  [[nodiscard]] TimeNs timeNs() const override { return m_time; }

 private:
  TimeNs m_time;
};

/// @errors Invalid (threads or owner out of range), DeviceMissing (more threads than cores)
[[nodiscard]] Result<std::unique_ptr<Backend>> makeCpuBackend(const BackendOptions& options);

}  // namespace stagelane::run
