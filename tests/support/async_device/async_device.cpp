#include "tests/support/async_device/async_device.h"

#include <ATen/Context.h>
#include <c10/core/DeviceType.h>

#include <utility>

#include "tests/support/async_device/allocators.h"
#include "tests/support/async_device/faults.h"
#include "tests/support/async_device/guard.h"
#include "tests/support/async_device/hooks.h"
#include "tests/support/async_device/pinned_reads.h"
#include "tests/support/async_device/scheduler.h"
#include "tests/support/async_device/sites.h"

namespace stagelane::async_device {

void install() {
  c10::register_privateuse1_backend("async");
  registerGuard();
  registerAllocator();
  registerHooks();
  observePinnedReads();
}

void setDelays(int maxMicroseconds, std::uint64_t seed) {
  scheduler().setDelays(maxMicroseconds, seed);
}

std::vector<std::string> takeRaces() {
  const Scheduler::Lock lock = scheduler().lock();
  return scheduler().races(lock).take();
}

void setHostWaits(HostWaits waits) {
  const Scheduler::Lock lock = scheduler().lock();
  scheduler().races(lock).setHostWaits(waits);
}

Counters counters() {
  const Scheduler::Lock lock = scheduler().lock();
  return {scheduler().tasks(lock), callCounts()};
}

void reset() {
  withdrawFaults();
  leaveOut(std::nullopt);
  setDelays(0, 1);
  setHostWaits(HostWaits::OfAnyThread);
  for (int device = 0; device < kDevices; ++device) setMemoryLimit(device, 0);
  std::vector<std::pair<const TaskQueue*, std::uint64_t>> queues;
  {
    const Scheduler::Lock lock = scheduler().lock();
    for (const TaskQueue* queue : scheduler().queuesOf(lock, -1)) {
      queues.emplace_back(queue, queue->queued());
    }
  }
  for (const auto& [queue, tasks] : queues) queue->wait(tasks);
  static_cast<void>(clearError());
  static_cast<void>(takeRaces());
}

}  // namespace stagelane::async_device
