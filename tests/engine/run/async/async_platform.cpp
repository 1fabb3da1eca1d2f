#include "tests/engine/run/async/async_platform.h"

#include <c10/core/impl/VirtualGuardImpl.h>

#include <map>
#include <mutex>
#include <utility>

#include "tests/support/async_device/device_errors.h"
#include "tests/support/async_device/memory.h"

namespace stagelane::run::test {
namespace {

class AsyncPlatform final : public GpuPlatform {
 public:
  [[nodiscard]] c10::DeviceType type() const override { return c10::DeviceType::PrivateUse1; }
  [[nodiscard]] std::string whyNone() const override { return {}; }
  [[nodiscard]] int count() const override { return async_device::kDevices; }
  [[nodiscard]] std::vector<DeviceInfo> list() const override {
    std::vector<DeviceInfo> devices;
    for (int i = 0; i < count(); ++i) {
      DeviceInfo& device = devices.emplace_back();
      device.id = "cuda:" + std::to_string(i);
      device.kind = "gpu";
      device.name = "asynchronous test device";
    }
    return devices;
  }
  [[nodiscard]] Json environment() const override { return nullptr; }
  void open(int /*index*/) override {}

  /// The same stream for the same partition, as a split of a GPU is made once in a process.
  [[nodiscard]] Result<GpuPartition> partition(const plan::ParsedDevice& device) override {
    const std::lock_guard<std::mutex> lock(m_mutex);
    const auto key = std::pair(device.index, device.partition);
    auto found = m_streams.find(key);
    if (found == m_streams.end()) {
      const c10::impl::VirtualGuardImpl guard(type());
      const c10::Device on(type(), static_cast<c10::DeviceIndex>(device.index));
      found = m_streams.emplace(key, guard.getStreamFromGlobalPool(on)).first;
    }
    return GpuPartition{found->second, 1, 1};
  }
  void setMemoryLimit(int index, Bytes limit) override {
    async_device::setMemoryLimit(index, static_cast<std::size_t>(limit));
  }

 private:
  std::mutex m_mutex;  ///< guards m_streams
  std::map<std::pair<int, int>, c10::Stream> m_streams;
};

}  // namespace

std::unique_ptr<GpuPlatform> makeAsyncPlatform() { return std::make_unique<AsyncPlatform>(); }

}  // namespace stagelane::run::test
