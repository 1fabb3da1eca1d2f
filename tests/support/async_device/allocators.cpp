#include "tests/support/async_device/allocators.h"

#include <c10/core/CachingDeviceAllocator.h>

#include <cstring>

#include "tests/support/async_device/memory.h"
#include "tests/support/async_device/scheduler.h"
#include "tests/support/async_device/sites.h"
#include "tests/support/async_device/streams.h"

namespace stagelane::async_device {
namespace {

/// LibTorch finds statistics and the cache only of a c10::DeviceAllocator.
class DeviceAllocator final : public c10::DeviceAllocator {
 public:
  c10::DataPtr allocate(std::size_t bytes) override {
    const c10::Device device = deviceAt(currentDevice());
    void* const data = bytes == 0 ? nullptr : allocateOn(currentStream(device), bytes);
    return {data, data, &freeMemory, device};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &freeMemory; }
  void copy_data(void* to, const void* from, std::size_t count) const override {
    const Scheduler::Lock lock = scheduler().lock();
    scheduler().push(lock, currentStream(deviceAt(currentDevice())),
                     {"copy_data", TaskKind::Copy, [=] { std::memcpy(to, from, count); }},
                     {{from, count, AccessKind::Read}, {to, count, AccessKind::Write}});
  }
  bool initialized() override { return true; }
  void emptyCache(c10::MempoolId_t /*pool*/) override { async_device::emptyCache(); }
  void recordStream(const c10::DataPtr& data, c10::Stream stream) override {
    if (isLeftOut(SiteKind::RecordStream, Through::Headers)) return;
    recordUse(data.get(), stream);
  }
  c10::CachingDeviceAllocator::DeviceStats getDeviceStats(c10::DeviceIndex device) override {
    return memoryStats(device);
  }
  void resetAccumulatedStats(c10::DeviceIndex device) override {
    async_device::resetAccumulatedStats(device);
  }
  void resetPeakStats(c10::DeviceIndex device) override { async_device::resetPeakStats(device); }
  std::pair<std::size_t, std::size_t> getMemoryInfo(c10::DeviceIndex device) override {
    return memoryInfo(device);
  }
};

class PinnedAllocator final : public c10::Allocator {
 public:
  c10::DataPtr allocate(std::size_t bytes) override {
    void* const data = bytes == 0 ? nullptr : allocatePinned(bytes);
    return {data, data, &freeMemory, c10::kCPU};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &freeMemory; }
  void copy_data(void* to, const void* from, std::size_t count) const override {
    std::memcpy(to, from, count);
  }
};

}  // namespace

void registerAllocator() { c10::SetAllocator(c10::kPrivateUse1, new DeviceAllocator()); }

c10::Allocator* pinnedAllocator() {
  static auto* const kAllocator = new PinnedAllocator();
  return kAllocator;
}

}  // namespace stagelane::async_device
