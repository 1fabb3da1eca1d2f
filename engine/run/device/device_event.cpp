#include "engine/run/device/device_event.h"

#include <c10/core/Event.h>

namespace stagelane::run {
namespace {

class C10Event final : public DeviceEvent {
 public:
  explicit C10Event(c10::DeviceType type) : m_event(type, c10::EventFlag::BACKEND_DEFAULT) {}

  void record(const c10::Stream& stream) override { m_event.record(stream); }
  void block(const c10::Stream& stream) const override { m_event.block(stream); }
  [[nodiscard]] bool reached() const override { return m_event.query(); }
  void synchronize() const override { m_event.synchronize(); }
  [[nodiscard]] double elapsedTimeMs(const DeviceEvent& later) const override {
    return m_event.elapsedTime(dynamic_cast<const C10Event&>(later).m_event);
  }

 private:
  c10::Event m_event;  ///< its default flag has no times
};

}  // namespace

EventMaker c10Events(c10::DeviceType type) {
  return [type] { return std::make_unique<C10Event>(type); };
}

}  // namespace stagelane::run
