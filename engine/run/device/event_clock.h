#pragma once

/// Points on an accelerator's streams as events, and their time on the host's monotonic clock.
/// Accelerators measure only the time between two events; a reference event with known host time
/// converts that into host time.

#include <memory>
#include <mutex>
#include <utility>

#include "engine/run/device/backend.h"
#include "engine/run/device/device_event.h"

namespace stagelane::run {

/// An event and the host's time when the device reached it.
struct ReferenceEvent {
  std::unique_ptr<DeviceEvent> event;
  TimeNs hostNs = 0;
};

class EventMarker final : public Marker {
 public:
  /// @pre `event` is recorded, and has the maker of the reference's
  EventMarker(std::shared_ptr<const ReferenceEvent> reference, std::unique_ptr<DeviceEvent> event)
      : m_reference(std::move(reference)), m_event(std::move(event)) {}
  [[nodiscard]] TimeNs timeNs() const override;
  [[nodiscard]] bool reached() const override;
  [[nodiscard]] bool wait(const StopCheck& stopped) const override;
  /// Work queued on `stream` from now on begins after this point. The streams may belong to
  /// different devices.
  void block(const c10::Stream& stream) const;

 private:
  std::shared_ptr<const ReferenceEvent> m_reference;
  std::unique_ptr<DeviceEvent> m_event;
};

/// Creates markers of one device. CUDA gives elapsed times as floats in milliseconds, which are
/// exact to 0.1 µs over a second but not over an hour, so the reference is renewed whenever the
/// device is idle.
class EventClock {
 public:
  explicit EventClock(EventMaker events) : m_events(std::move(events)) {}

  /// @pre nothing is queued on `stream`
  void start(const c10::Stream& stream);
  /// Renews the reference if it is old. @pre `stream` was just synchronized
  void renew(const c10::Stream& stream);
  /// The current point of `stream`. @pre start() was called
  [[nodiscard]] std::shared_ptr<EventMarker> mark(const c10::Stream& stream) const;

 private:
  EventMaker m_events;
  mutable std::mutex m_mutex;  ///< guards m_reference: renewed by one thread, used by others
  std::shared_ptr<const ReferenceEvent> m_reference;
};

}  // namespace stagelane::run
