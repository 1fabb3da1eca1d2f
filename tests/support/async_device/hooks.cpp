#include "tests/support/async_device/hooks.h"

#include <ATen/detail/PrivateUse1HooksInterface.h>

#include "tests/support/async_device/allocators.h"
#include "tests/support/async_device/generator.h"
#include "tests/support/async_device/memory.h"
#include "tests/support/async_device/streams.h"

namespace stagelane::async_device {
namespace {

class Hooks final : public at::PrivateUse1HooksInterface {
 public:
  bool isBuilt() const override { return true; }
  bool isAvailable() const override { return true; }
  bool hasPrimaryContext(c10::DeviceIndex /*device*/) const override { return true; }
  c10::DeviceIndex deviceCount() const override { return kDevices; }
  void setCurrentDevice(c10::DeviceIndex device) const override {
    async_device::setCurrentDevice(device);
  }
  c10::DeviceIndex getCurrentDevice() const override {
    return static_cast<c10::DeviceIndex>(currentDevice());
  }
  c10::DeviceIndex exchangeDevice(c10::DeviceIndex device) const override {
    const c10::DeviceIndex old = getCurrentDevice();
    setCurrentDevice(device);
    return old;
  }
  c10::DeviceIndex maybeExchangeDevice(c10::DeviceIndex device) const override {
    return device < 0 ? getCurrentDevice() : exchangeDevice(device);
  }
  bool isPinnedPtr(const void* data) const override { return isPinned(data); }
  c10::Allocator* getPinnedMemoryAllocator() const override { return pinnedAllocator(); }
  at::Device getDeviceFromPtr(void* data) const override { return deviceAt(deviceOf(data)); }
  const at::Generator& getDefaultGenerator(c10::DeviceIndex device) const override {
    return defaultGenerator(device);
  }
  at::Generator getNewGenerator(c10::DeviceIndex device) const override {
    return at::make_generator<DeviceGenerator>(device < 0 ? getCurrentDevice() : device);
  }
};

}  // namespace

void registerHooks() {
  // ATen uses them until the process ends.
  at::RegisterPrivateUse1HooksInterface(new Hooks());
}

}  // namespace stagelane::async_device
