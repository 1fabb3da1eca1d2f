#include "tests/support/async_device/guard.h"

#include <c10/core/Allocator.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>

#include "tests/support/async_device/events.h"
#include "tests/support/async_device/memory.h"
#include "tests/support/async_device/sites.h"
#include "tests/support/async_device/streams.h"

namespace stagelane::async_device {
namespace {

class Guard final : public c10::impl::DeviceGuardImplInterface {
 public:
  c10::DeviceType type() const override { return c10::kPrivateUse1; }
  c10::DeviceIndex deviceCount() const noexcept override { return kDevices; }
  c10::Device getDevice() const override { return deviceAt(currentDevice()); }
  void setDevice(c10::Device device) const override { setCurrentDevice(device.index()); }
  c10::Device exchangeDevice(c10::Device device) const override {
    const c10::Device old = getDevice();
    setDevice(device);
    return old;
  }
  void uncheckedSetDevice(c10::Device device) const noexcept override {
    if (device.index() >= 0 && device.index() < kDevices) setCurrentDevice(device.index());
  }

  c10::Stream getStream(c10::Device device) const override { return currentStream(device); }
  c10::Stream getDefaultStream(c10::Device device) const override {
    return c10::Stream(c10::Stream::DEFAULT, device);
  }
  c10::Stream getStreamFromGlobalPool(c10::Device device, bool /*high*/) const override {
    return getNewStream(device, 0);
  }
  c10::Stream getNewStream(c10::Device device, int /*priority*/) const override {
    return streamFromPool(device.has_index() ? device.index() : currentDevice());
  }
  c10::Stream exchangeStream(c10::Stream stream) const override {
    return async_device::exchangeStream(stream);
  }
  bool queryStream(const c10::Stream& stream) const override {
    return isLeftOut(SiteKind::StreamQuery, Through::LibTorch) || isIdle(stream);
  }
  void synchronizeStream(const c10::Stream& stream) const override {
    if (!isLeftOut(SiteKind::StreamSynchronize, Through::LibTorch)) synchronize(stream);
  }
  void synchronizeDevice(const c10::DeviceIndex device) const override {
    if (isLeftOut(SiteKind::DeviceSynchronize, Through::LibTorch)) return;
    async_device::synchronizeDevice(device);
  }

  void record(void** event, const c10::Stream& stream, const c10::DeviceIndex /*device*/,
              const c10::EventFlag /*flag*/) const override {
    if (*event == nullptr) *event = new Event();
    static_cast<Event*>(*event)->record(stream);
  }
  void block(void* event, const c10::Stream& stream) const override {
    if (isLeftOut(SiteKind::EventBlock, Through::Headers)) return;
    static_cast<const Event*>(event)->block(stream);
  }
  bool queryEvent(void* event) const override {
    return isLeftOut(SiteKind::EventQuery, Through::Headers) ||
           static_cast<const Event*>(event)->query();
  }
  void synchronizeEvent(void* event) const override {
    if (isLeftOut(SiteKind::EventSynchronize, Through::Headers)) return;
    static_cast<const Event*>(event)->synchronize();
  }
  double elapsedTime(void* from, void* to, const c10::DeviceIndex /*device*/) const override {
    return static_cast<const Event*>(from)->elapsedMs(*static_cast<const Event*>(to));
  }
  void destroyEvent(void* event, const c10::DeviceIndex /*device*/) const noexcept override {
    delete static_cast<Event*>(event);
  }

  void recordDataPtrOnStream(const c10::DataPtr& data, const c10::Stream& stream) const override {
    if (isLeftOut(SiteKind::RecordStream, Through::Headers)) return;
    recordUse(data.get(), stream);
  }
};

}  // namespace

void registerGuard() {
  // LibTorch uses it until the process ends.
  c10::impl::registerDeviceGuard(c10::kPrivateUse1, new Guard());
}

}  // namespace stagelane::async_device
