#include "tests/support/async_device/recording.h"

#include <chrono>

namespace stagelane::async_device {

void Recording::reach() {
  {
    const std::lock_guard<std::mutex> lock(m_mutex);
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    m_timeNs = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
    m_reached = true;
  }
  m_changed.notify_all();
}

void Recording::wait() const {
  std::unique_lock<std::mutex> lock(m_mutex);
  m_changed.wait(lock, [this] { return m_reached; });
}

bool Recording::reached() const {
  const std::lock_guard<std::mutex> lock(m_mutex);
  return m_reached;
}

std::int64_t Recording::timeNs() const {
  const std::lock_guard<std::mutex> lock(m_mutex);
  return m_timeNs;
}

}  // namespace stagelane::async_device
