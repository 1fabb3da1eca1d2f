#pragma once

/// Points on an accelerator's stream as events, and their time on the host's monotonic clock.
/// Accelerators measure only the time between two events; a reference event with known host time
/// converts that into host time.

#include <c10/core/Event.h>
#include <c10/core/Stream.h>

#include <memory>
#include <mutex>

#include "engine/run/device/backend.h"

namespace stagelane::run {

/// An event and the host's time when the device reached it.
struct ReferenceEvent {
  explicit ReferenceEvent(c10::DeviceType type) : event(type, c10::EventFlag::BACKEND_DEFAULT) {}
  c10::Event event;  ///< BACKEND_DEFAULT, because events have no time otherwise
  TimeNs hostNs = 0;
};

class EventMarker final : public Marker {
 public:
  /// Records the current point of `stream`.
  EventMarker(std::shared_ptr<const ReferenceEvent> reference, const c10::Stream& stream);
  [[nodiscard]] TimeNs timeNs() const override;
  [[nodiscard]] bool reached() const override;
  [[nodiscard]] bool wait(const StopCheck& stopped) const override;
  /// Work queued on `stream` from now on begins after this point. The streams may belong to
  /// different devices.
  void block(const c10::Stream& stream) const;

 private:
  std::shared_ptr<const ReferenceEvent> m_reference;
  c10::Event m_event;
};

/// Creates markers of one device. CUDA gives elapsed times as floats in milliseconds, which are
/// exact to 0.1 µs over a second but not over an hour, so the reference is renewed whenever the
/// device is idle.
class EventClock {
 public:
  /// @pre nothing is queued on `stream`
  void start(const c10::Stream& stream);
  /// Renews the reference if it is old. @pre `stream` was just synchronized
  void renew(const c10::Stream& stream);
  [[nodiscard]] std::shared_ptr<EventMarker> mark(const c10::Stream& stream) const;

 private:
  mutable std::mutex m_mutex;  ///< guards m_reference: renewed by one thread, used by others
  std::shared_ptr<const ReferenceEvent> m_reference;
};

}  // namespace stagelane::run
