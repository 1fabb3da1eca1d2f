#pragma once

/// A CPU worker: one thread that owns a number of cores. Shares storage at a stage boundary.

#include <chrono>
#include <memory>
#include <utility>

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

/// The arrival of a tensor that the receiver moves: the sender does not know it yet.
class ArrivalMarker final : public Marker {
 public:
  explicit ArrivalMarker(TimeNs sentNs) : m_sentNs(sentNs) {}
  /// @thread the receiver's, before the step ends
  void set(std::shared_ptr<Marker> arrived) { m_arrived = std::move(arrived); }
  /// The time it was sent if it never arrived. @thread any, after the step
  [[nodiscard]] TimeNs timeNs() const override {
    return m_arrived ? m_arrived->timeNs() : m_sentNs;
  }

 private:
  TimeNs m_sentNs;
  std::shared_ptr<Marker> m_arrived;
};

/// @errors Invalid (threads or owner out of range), DeviceMissing (more threads than cores)
[[nodiscard]] Result<std::unique_ptr<Backend>> makeCpuBackend(const BackendOptions& options);

}  // namespace stagelane::run
