#pragma once

/// Events without a device: recorded in the order of the calls, one millisecond apart, and reached
/// at once.

#include <c10/util/Exception.h>

#include "engine/run/device/device_event.h"

namespace stagelane::run {

class FakeEvent final : public DeviceEvent {
 public:
  struct Behavior {
    bool refusesToRecord = false;
    bool isReached = true;
    double stepMs = 1;
  };

  FakeEvent(Behavior behavior, int& next) : m_behavior(behavior), m_next(next) {}

  void record(const c10::Stream&) override {
    TORCH_CHECK(!m_behavior.refusesToRecord, "invalid resource handle");
    m_number = m_next++;
  }
  void block(const c10::Stream&) const override {}
  [[nodiscard]] bool reached() const override { return m_behavior.isReached; }
  void synchronize() const override {}
  [[nodiscard]] double elapsedTimeMs(const DeviceEvent& later) const override {
    return m_behavior.stepMs * (dynamic_cast<const FakeEvent&>(later).m_number - m_number);
  }

 private:
  Behavior m_behavior;
  int& m_next;
  int m_number = 0;
};

/// `next` counts the recorded events and outlives them.
inline EventMaker fakeEvents(FakeEvent::Behavior behavior, int& next) {
  return [behavior, &next] { return std::make_unique<FakeEvent>(behavior, next); };
}

inline c10::Stream anyStream() {
  return c10::Stream(c10::Stream::DEFAULT, c10::Device(c10::kPrivateUse1, 0));
}

}  // namespace stagelane::run
