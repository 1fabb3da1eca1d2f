#pragma once

#include "engine/run/device/device_event.h"
#include "tests/engine/run/async/wrapped_platform.h"

namespace stagelane::run::test {

/// The asynchronous devices, with partitions that have events of their own.
class OwnEventsPlatform final : public WrappedPlatform {
 public:
  [[nodiscard]] Result<GpuPartition> partition(const plan::ParsedDevice& device) override {
    Result<GpuPartition> made = WrappedPlatform::partition(device);
    if (made) made->events = c10Events(type());
    return made;
  }
};

}  // namespace stagelane::run::test
