#pragma once

/// The asynchronous test devices with one thing changed, as a test needs it.

#include <memory>
#include <string>
#include <vector>

#include "tests/engine/run/async/async_platform.h"

namespace stagelane::run::test {

class WrappedPlatform : public GpuPlatform {
 public:
  [[nodiscard]] c10::DeviceType type() const override { return m_devices->type(); }
  [[nodiscard]] std::string whyNone() const override { return m_devices->whyNone(); }
  [[nodiscard]] int count() const override { return m_devices->count(); }
  [[nodiscard]] std::vector<DeviceInfo> list() const override { return m_devices->list(); }
  [[nodiscard]] Json environment() const override { return m_devices->environment(); }
  void open(int index) override { m_devices->open(index); }
  [[nodiscard]] Result<GpuPartition> partition(const plan::ParsedDevice& device) override {
    return m_devices->partition(device);
  }
  void setMemoryLimit(int index, Bytes limit) override { m_devices->setMemoryLimit(index, limit); }

 private:
  std::unique_ptr<GpuPlatform> m_devices = makeAsyncPlatform();
};

}  // namespace stagelane::run::test
