#pragma once

/// A point that a device never reaches, or only after it was asked some times.

#include "engine/run/device/backend.h"

namespace stagelane::run {

class StuckMarker final : public Marker {
 public:
  /// -1: never reached.
  explicit StuckMarker(int untilAsked = -1) : m_left(untilAsked) {}

  [[nodiscard]] TimeNs timeNs() const override { return 0; }
  [[nodiscard]] bool reached() const override {
    if (m_left > 0) --m_left;
    return m_left == 0;
  }
  [[nodiscard]] bool wait(const StopCheck& stopped) const override {
    while (!reached()) {
      if (stopped && stopped()) return false;
    }
    return true;
  }

 private:
  mutable int m_left;
};

}  // namespace stagelane::run
