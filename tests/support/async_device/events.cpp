#include "tests/support/async_device/events.h"

#include <c10/util/Exception.h>

#include "tests/support/async_device/device_errors.h"
#include "tests/support/async_device/scheduler.h"

namespace stagelane::async_device {

void Event::record(const c10::Stream& stream) {
  const Scheduler::Lock lock = scheduler().lock();
  m_recording = scheduler().record(lock, stream);
}

void Event::block(const c10::Stream& stream) const {
  const Scheduler::Lock lock = scheduler().lock();
  scheduler().block(lock, stream, m_recording);
}

bool Event::query() const {
  const bool reached = m_recording->reached();
  if (reached) scheduler().hostWaited(m_recording->clock);
  throwError(m_recording->device);
  return reached;
}

void Event::synchronize() const {
  const std::shared_ptr<Recording> recording = m_recording;
  recording->wait();
  scheduler().hostWaited(recording->clock);
  throwError(recording->device);
}

double Event::elapsedMs(const Event& later) const {
  TORCH_CHECK(m_recording->reached() && later.m_recording->reached(),
              "an event whose time is asked for has not been reached");
  const auto ns = static_cast<double>(later.m_recording->timeNs() - m_recording->timeNs());
  return static_cast<double>(static_cast<float>(ns * 1e-6));
}

}  // namespace stagelane::async_device
