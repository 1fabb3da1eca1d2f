#pragma once

/// Points in the work of an accelerator's streams. Usually c10::Event; a stream that it does not
/// work on (in a context of its own) brings events that do.

#include <c10/core/Stream.h>

#include <functional>
#include <memory>

namespace stagelane::run {

class DeviceEvent {
 public:
  virtual ~DeviceEvent() = default;
  /// The current point of `stream`. Once for each event. @thread one
  virtual void record(const c10::Stream& stream) = 0;
  /// Work queued on `stream` from now on begins after that point. The streams may belong to
  /// different devices. @thread any
  virtual void block(const c10::Stream& stream) const = 0;
  /// Whether the device has reached that point. Throws the device's error. @thread any
  [[nodiscard]] virtual bool reached() const = 0;
  /// Waits for that point. Throws the device's error. @thread any
  virtual void synchronize() const = 0;
  /// Milliseconds from that point to the one of `later`, which has the same maker.
  /// @pre both were reached
  [[nodiscard]] virtual double elapsedTimeMs(const DeviceEvent& later) const = 0;
};

/// Creates an event. @thread any
using EventMaker = std::function<std::unique_ptr<DeviceEvent>()>;
/// Makes events of c10::Event, with times, for devices of this type.
[[nodiscard]] EventMaker c10Events(c10::DeviceType type);

}  // namespace stagelane::run
