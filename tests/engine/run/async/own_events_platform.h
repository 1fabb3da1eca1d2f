#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/run/device/device_event.h"
#include "tests/engine/run/async/async_platform.h"

namespace stagelane::run::test {

/// The asynchronous devices, with partitions that have events of their own.
class OwnEventsPlatform final : public GpuPlatform {
 public:
  [[nodiscard]] c10::DeviceType type() const override { return m_devices->type(); }
  [[nodiscard]] std::string whyNone() const override { return {}; }
  [[nodiscard]] int count() const override { return m_devices->count(); }
  [[nodiscard]] std::vector<DeviceInfo> list() const override { return m_devices->list(); }
  [[nodiscard]] Json environment() const override { return nullptr; }
  void open(int index) override { m_devices->open(index); }
  [[nodiscard]] Result<GpuPartition> partition(const plan::ParsedDevice& device) override {
    Result<GpuPartition> made = m_devices->partition(device);
    if (made) made->events = c10Events(type());
    return made;
  }
  void setMemoryLimit(int index, Bytes limit) override { m_devices->setMemoryLimit(index, limit); }

 private:
  std::unique_ptr<GpuPlatform> m_devices = makeAsyncPlatform();
};

}  // namespace stagelane::run::test
