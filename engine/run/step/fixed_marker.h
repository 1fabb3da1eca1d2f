#pragma once

/// A point in time that is known already, such as the arrival of a message.

#include "engine/run/device/backend.h"

namespace stagelane::run {

class FixedMarker final : public Marker {
 public:
  /// @param timeNs monotonic, of this process
  explicit FixedMarker(TimeNs timeNs) : m_timeNs(timeNs) {}
  [[nodiscard]] TimeNs timeNs() const override { return m_timeNs; }

 private:
  TimeNs m_timeNs;
};

}  // namespace stagelane::run
