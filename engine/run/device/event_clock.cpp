#include "engine/run/device/event_clock.h"

#include <chrono>
#include <cmath>
#include <thread>

#include "engine/run/device/cpu_backend.h"

namespace stagelane::run {
namespace {

constexpr TimeNs kOldNs = 1'000'000'000;
constexpr int kTries = 5;

std::unique_ptr<DeviceEvent> recorded(const EventMaker& events, const c10::Stream& stream) {
  std::unique_ptr<DeviceEvent> event = events();
  event->record(stream);
  return event;
}

/// The event is between two readings of the host's clock; of several tries, uses the closest pair.
std::shared_ptr<const ReferenceEvent> takeReference(const EventMaker& events,
                                                    const c10::Stream& stream) {
  std::shared_ptr<ReferenceEvent> best;
  TimeNs bestWidth = 0;
  for (int i = 0; i < kTries; ++i) {
    auto reference = std::make_shared<ReferenceEvent>();
    const TimeNs before = monotonicNs();
    reference->event = recorded(events, stream);
    reference->event->synchronize();
    const TimeNs width = monotonicNs() - before;
    reference->hostNs = before + width / 2;
    if (best == nullptr || width < bestWidth) {
      best = std::move(reference);
      bestWidth = width;
    }
  }
  return best;
}

}  // namespace

TimeNs EventMarker::timeNs() const {
  const double milliseconds = m_reference->event->elapsedTimeMs(*m_event);
  return m_reference->hostNs + static_cast<TimeNs>(std::llround(milliseconds * 1e6));
}

bool EventMarker::reached() const { return m_event->reached(); }

bool EventMarker::wait(const StopCheck& stopped) const {
  if (!stopped) {
    m_event->synchronize();
    return true;
  }
  // Short waits spin, because a sleep can take longer than the copy that is waited for.
  constexpr int kSpins = 200;
  constexpr auto kSlice = std::chrono::microseconds(20);
  for (int tries = 0; !m_event->reached(); ++tries) {
    if (stopped()) return false;
    if (tries < kSpins) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(kSlice);
    }
  }
  return true;
}

void EventMarker::block(const c10::Stream& stream) const { m_event->block(stream); }

void EventClock::start(const c10::Stream& stream) {
  auto reference = takeReference(m_events, stream);
  const std::lock_guard<std::mutex> lock(m_mutex);
  m_reference = std::move(reference);
}

void EventClock::renew(const c10::Stream& stream) {
  {
    const std::lock_guard<std::mutex> lock(m_mutex);
    if (m_reference != nullptr && monotonicNs() - m_reference->hostNs < kOldNs) return;
  }
  start(stream);
}

std::shared_ptr<EventMarker> EventClock::mark(const c10::Stream& stream) const {
  std::shared_ptr<const ReferenceEvent> reference;
  {
    const std::lock_guard<std::mutex> lock(m_mutex);
    reference = m_reference;
  }
  return std::make_shared<EventMarker>(std::move(reference), recorded(m_events, stream));
}

}  // namespace stagelane::run
