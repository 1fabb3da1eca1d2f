#pragma once

/// One recording of an event in a stream. An event that is recorded again gets a new recording; who
/// waits for the old one still does.

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "tests/support/async_device/vector_clock.h"

namespace stagelane::async_device {

class Recording {
 public:
  /// The stream got there. @thread the stream's
  void reach();
  /// Blocks until the stream got there. @thread any
  void wait() const;
  [[nodiscard]] bool reached() const;
  /// Monotonic nanoseconds of that moment. @pre reached()
  [[nodiscard]] std::int64_t timeNs() const;

  // Set before others see the recording, constant afterwards.
  int device = 0;
  std::size_t stream = 0;
  std::uint64_t task = 0;  ///< its number in the stream
  VectorClock clock;       ///< what is done once it is reached

 private:
  mutable std::mutex m_mutex;  ///< guards the members below
  mutable std::condition_variable m_changed;
  bool m_reached = false;
  std::int64_t m_timeNs = 0;
};

}  // namespace stagelane::async_device
