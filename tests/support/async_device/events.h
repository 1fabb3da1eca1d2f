#pragma once

/// What c10 keeps behind an event. As CUDA's, an event may be waited for in several threads, but
/// not while it is recorded again.

#include <c10/core/Stream.h>

#include <memory>

#include "tests/support/async_device/recording.h"

namespace stagelane::async_device {

class Event {
 public:
  void record(const c10::Stream& stream);
  // @pre recorded
  void block(const c10::Stream& stream) const;
  [[nodiscard]] bool query() const;
  void synchronize() const;
  /// Milliseconds from this event to `later`, a float as CUDA's. @pre both are reached
  [[nodiscard]] double elapsedMs(const Event& later) const;

 private:
  std::shared_ptr<Recording> m_recording;
};

}  // namespace stagelane::async_device
