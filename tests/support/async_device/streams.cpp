#include "tests/support/async_device/streams.h"

#include <c10/core/DeviceType.h>
#include <c10/util/Exception.h>

#include <array>
#include <atomic>
#include <utility>
#include <vector>

#include "tests/support/async_device/scheduler.h"

namespace stagelane::async_device {
namespace {

constexpr c10::StreamId kPool = 32;

struct ThreadStreams {
  int device = 0;
  std::array<c10::StreamId, kDevices> current{};
};

ThreadStreams& ofThread() {
  thread_local ThreadStreams streams;
  return streams;
}

c10::StreamId& currentOf(int device) {
  return ofThread().current.at(static_cast<std::size_t>(device));
}

}  // namespace

c10::Device deviceAt(int index) {
  return {c10::kPrivateUse1, static_cast<c10::DeviceIndex>(index)};
}

int currentDevice() { return ofThread().device; }

void setCurrentDevice(int index) {
  TORCH_CHECK(index >= 0 && index < kDevices, "no such async device: ", index);
  ofThread().device = index;
}

c10::Stream currentStream(c10::Device device) {
  const int index = device.has_index() ? device.index() : currentDevice();
  return c10::Stream(c10::Stream::UNSAFE, deviceAt(index), currentOf(index));
}

c10::Stream exchangeStream(const c10::Stream& stream) {
  const c10::StreamId old = std::exchange(currentOf(stream.device_index()), stream.id());
  return c10::Stream(c10::Stream::UNSAFE, stream.device(), old);
}

c10::Stream streamFromPool(int device) {
  static std::array<std::atomic<c10::StreamId>, kDevices> next{};
  const c10::StreamId turn = next.at(static_cast<std::size_t>(device))++;
  return c10::Stream(c10::Stream::UNSAFE, deviceAt(device), 1 + turn % kPool);
}

void synchronize(const c10::Stream& stream) {
  Scheduler::Lock lock = scheduler().lock();
  const TaskQueue& queue = scheduler().queueOf(lock, stream);
  const VectorClock clock = scheduler().clockOf(lock, stream);
  const std::uint64_t queued = queue.queued();
  lock.unlock();
  queue.wait(queued);
  scheduler().hostWaited(clock);
  throwError(stream.device_index());
}

void synchronizeDevice(int device) {
  std::vector<c10::Stream> streams;
  {
    const Scheduler::Lock lock = scheduler().lock();
    for (const TaskQueue* queue : scheduler().queuesOf(lock, device)) {
      streams.push_back(queue->stream());
    }
  }
  for (const c10::Stream& stream : streams) synchronize(stream);
}

bool isIdle(const c10::Stream& stream) {
  Scheduler::Lock lock = scheduler().lock();
  const TaskQueue& queue = scheduler().queueOf(lock, stream);
  const VectorClock clock = scheduler().clockOf(lock, stream);
  const std::uint64_t queued = queue.queued();
  lock.unlock();
  const bool idle = queue.ended(queued);
  if (idle) scheduler().hostWaited(clock);
  throwError(stream.device_index());
  return idle;
}

void orderStreams(const c10::Stream& before, const c10::Stream& waiting) {
  if (before == waiting) return;
  const Scheduler::Lock lock = scheduler().lock();
  scheduler().block(lock, waiting, scheduler().record(lock, before));
}

}  // namespace stagelane::async_device
